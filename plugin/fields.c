/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Registers fields, subtrees and expert infos: all from tables that are there for other reasons.
 *
 * Wireshark keeps pointers to what is registered, so nothing here is ever freed.
 */
#include "plugin/fields.h"

#include "dissectors/opcode.h"
#include "dissectors/values.h"

#include <string.h>

int rda_own_hf[RDA_OWN_COUNT];
int rda_ulp_hf[RDA_ULP_COUNT];
int rda_ett[RDA_ETT_COUNT];

static int header_hf[RDA_HEADER_COUNT];
static int *field_hf[RDA_HEADER_COUNT];
static expert_field finding_ei[RDA_CHECK_COUNT][RDA_SEVERITY_COUNT];

const value_string rda_field_severities[] = {{1 + RDA_SEVERITY_NOTE, "Note"},
					     {1 + RDA_SEVERITY_WARNING, "Warning"},
					     {1 + RDA_SEVERITY_ERROR, "Error"},
					     {0, NULL}};

int rda_field_header_hf(enum rda_header_id header)
{
	return header_hf[header];
}

int rda_field_hf(enum rda_header_id header, unsigned index)
{
	return field_hf[header][index];
}

expert_field *rda_field_expert(enum rda_check check, enum rda_severity severity)
{
	return &finding_ei[check][severity];
}

/* ---- headers -------------------------------------------------------------------------------- */

static const value_string *opcode_strings(void)
{
	enum { OPCODES = 256 };
	value_string *strings = g_new0(value_string, OPCODES + 1);

	for (unsigned i = 0; i < OPCODES; i++)
		strings[i] = (value_string){i, rda_opcode((uint8_t)i)->name};
	return strings;
}

static const value_string *set_strings(enum rda_value_set set)
{
	static const value_string *made[RDA_SET_COUNT];
	const struct rda_words *words = &rda_value_sets[set];
	value_string *strings;

	if (!made[set]) {
		strings = g_new0(value_string, words->count + 1u);
		for (unsigned i = 0; i < words->count; i++)
			strings[i] = (value_string){words->word[i].value, words->word[i].words};
		made[set] = strings;
	}
	return made[set];
}

static enum ftenum number_type(const struct rda_field *field)
{
	if (field->show == RDA_SHOW_FLAG)
		return FT_BOOLEAN;
	if (field->width <= 8)
		return FT_UINT8;
	if (field->width <= 16)
		return FT_UINT16;
	if (field->width <= 24)
		return FT_UINT24;
	return field->width <= 32 ? FT_UINT32 : FT_UINT64;
}

static enum ftenum type_of(const struct rda_field *field)
{
	switch (field->show) {
	case RDA_SHOW_MAC: return FT_ETHER;
	case RDA_SHOW_IP4: return FT_IPv4;
	case RDA_SHOW_IP6: return FT_IPv6;
	case RDA_SHOW_BYTES: return FT_BYTES;
	default: return number_type(field);
	}
}

static hf_register_info describe_field(enum rda_header_id id, unsigned index)
{
	const struct rda_field *field = &rda_headers[id].fields[index];
	hf_register_info info = {
		.p_id = &field_hf[id][index],
		.hfinfo = {.name = field->name,
			   .abbrev =
				   g_strdup_printf("rdma.%s.%s", rda_headers[id].id, field->member),
			   .type = type_of(field),
			   .display = BASE_NONE,
			   .blurb = NULL,
			   HFILL},
	};

	if (field->show == RDA_SHOW_DEC)
		info.hfinfo.display = BASE_DEC;
	else if (field->show == RDA_SHOW_HEX)
		info.hfinfo.display = BASE_HEX;
	if (id == RDA_BTH && strcmp(field->member, "opcode") == 0)
		info.hfinfo.strings = opcode_strings();
	else if (info.hfinfo.display != BASE_NONE && field->width <= 32 &&
		 field->values != RDA_SET_NONE)
		info.hfinfo.strings = set_strings((enum rda_value_set)field->values);
	return info;
}

/* The header itself, which has no value: that it is there. */
static hf_register_info describe_header(enum rda_header_id id)
{
	return (hf_register_info){
		.p_id = &header_hf[id],
		.hfinfo = {.name = rda_headers[id].name,
			   .abbrev = g_strdup_printf("rdma.%s", rda_headers[id].id),
			   .type = FT_NONE,
			   .display = BASE_NONE,
			   .blurb = NULL,
			   HFILL},
	};
}

static void register_headers(int protocol)
{
	for (unsigned id = 0; id < RDA_HEADER_COUNT; id++) {
		unsigned count = rda_headers[id].field_count;
		hf_register_info *infos;

		if (id < RDA_FIRST_SHOWN)
			continue;
		infos = g_new0(hf_register_info, count + 1);
		field_hf[id] = g_new(int, count);
		for (unsigned i = 0; i < count; i++) {
			field_hf[id][i] = -1;
			infos[i] = describe_field((enum rda_header_id)id, i);
		}
		header_hf[id] = -1;
		infos[count] = describe_header((enum rda_header_id)id);
		proto_register_field_array(protocol, infos, (int)count + 1);
	}
}

/* ---- the analysis --------------------------------------------------------------------------- */

static void register_own(int protocol)
{
	static const char *const known[] = {
		[RDA_WHEN_NOW] = "In one pass as in two",
		[RDA_WHEN_SOME] = "In one pass where it is known when the frame passes",
		[RDA_WHEN_LATER] = "In two passes: the whole capture tells",
	};
	static hf_register_info infos[] = {
#define RDA_O(ID, abbreviation, title, field_type, field_display, field_strings, when)             \
	{&rda_own_hf[RDA_OWN_##ID],                                                                \
	 {.name = (title),                                                                         \
	  .abbrev = (abbreviation),                                                                \
	  .type = (field_type),                                                                    \
	  .display = (field_display),                                                              \
	  .strings = (field_strings),                                                              \
	  .blurb = NULL,                                                                           \
	  HFILL}},
		RDA_OWN_FIELDS(RDA_O)
#undef RDA_O
	};

	static const uint8_t whens[] = {
#define RDA_O(ID, abbreviation, title, field_type, field_display, field_strings, when)             \
	RDA_WHEN_##when,
		RDA_OWN_FIELDS(RDA_O)
#undef RDA_O
	};

	for (unsigned i = 0; i < RDA_OWN_COUNT; i++) {
		rda_own_hf[i] = -1;
		infos[i].hfinfo.blurb = known[whens[i]];
	}
	proto_register_field_array(protocol, infos, RDA_OWN_COUNT);
}

static void register_upper_layers(int protocol)
{
	static hf_register_info infos[] = {
#define RDA_U(ID, word, people)                                                                    \
	{&rda_ulp_hf[RDA_ULP_##ID],                                                                \
	 {.name = (people),                                                                        \
	  .abbrev = "rdma.ulp." word,                                                              \
	  .type = FT_NONE,                                                                         \
	  .display = BASE_NONE,                                                                    \
	  .blurb = NULL,                                                                           \
	  HFILL}},
		RDA_ULPS(RDA_U)
#undef RDA_U
	};

	for (unsigned i = 0; i < RDA_ULP_COUNT; i++)
		rda_ulp_hf[i] = -1;
	proto_register_field_array(protocol, infos, RDA_ULP_COUNT);
}

static void register_subtrees(void)
{
	static int *all[RDA_ETT_COUNT];

	for (unsigned i = 0; i < RDA_ETT_COUNT; i++) {
		rda_ett[i] = -1;
		all[i] = &rda_ett[i];
	}
	proto_register_subtree_array(all, RDA_ETT_COUNT);
}

/* ---- findings ------------------------------------------------------------------------------- */

/* Wireshark's groups, by the letter of the code. */
static int group_of(char letter)
{
	switch (letter) {
	case 'F': return PI_MALFORMED;
	case 'S':
	case 'T':
	case 'R': return PI_SEQUENCE;
	case 'N':
	case 'A': return PI_RESPONSE_CODE;
	case 'K': return PI_SECURITY;
	default: return PI_PROTOCOL;
	}
}

static void register_findings(int protocol)
{
	static const int severities[RDA_SEVERITY_COUNT] = {
		[RDA_SEVERITY_NOTE] = PI_NOTE,
		[RDA_SEVERITY_WARNING] = PI_WARN,
		[RDA_SEVERITY_ERROR] = PI_ERROR,
	};
	static ei_register_info infos[RDA_CHECK_COUNT * RDA_SEVERITY_COUNT];
	unsigned count = 0;

	for (unsigned check = 0; check < RDA_CHECK_COUNT; check++) {
		const struct rda_check_row *row = rda_check_row((enum rda_check)check);
		char *code = g_ascii_strdown(row->code, -1);

		for (unsigned severity = 0; severity < RDA_SEVERITY_COUNT; severity++) {
			const char *name = rda_severity_name((enum rda_severity)severity);
			expert_field *ei = &finding_ei[check][severity];

			*ei = (expert_field)EI_INIT;
			infos[count++] = (ei_register_info){
				ei,
				{.name = g_strdup_printf("rdma.finding.%s.%s", code, name),
				 .group = group_of(row->code[0]),
				 .severity = severities[severity],
				 .summary = g_strdup_printf("%s %s", row->code, row->name),
				 EXPFILL}};
		}
		g_free(code);
	}
	expert_register_field_array(expert_register_protocol(protocol), infos, (int)count);
}

void rda_fields_register(int protocol)
{
	register_headers(protocol);
	register_own(protocol);
	register_upper_layers(protocol);
	register_subtrees();
	register_findings(protocol);
}
