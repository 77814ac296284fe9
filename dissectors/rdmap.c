/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * DDP and RDMAP headers of one ULPDU; rdmap.h has the figure.
 */
#include "dissectors/rdmap.h"

#define R1(role)		 RDA_ROLE_##role
#define RDA_HAS_NONE		 0
#define RDA_HAS_RDMAP_READ	 RDA_HAS(RDMAP_READ)
#define RDA_HAS_RDMAP_ATOMIC	 RDA_HAS(RDMAP_ATOMIC)
#define RDA_HAS_RDMAP_ATOMIC_ACK RDA_HAS(RDMAP_ATOMIC_ACK)
#define RDA_HAS_RDMAP_TERMINATE	 RDA_HAS(RDMAP_TERMINATE)

static const struct rda_rdmap_operation operations[16] = {
#define RDA_O(opcode, ID, text, is_tagged, number, mask, HEADER)                                   \
	[opcode] = {.name = (text),                                                                \
		    .known = true,                                                                 \
		    .tagged = (is_tagged),                                                         \
		    .queue = (number),                                                             \
		    .roles = (mask),                                                               \
		    .header = RDA_HAS_##HEADER},
	RDA_RDMAP_OPERATIONS(RDA_O)
#undef RDA_O
};

const struct rda_rdmap_operation *rda_rdmap_operation(uint8_t opcode)
{
	static const struct rda_rdmap_operation reserved = {.name = "reserved"};

	return operations[opcode & 15].known ? &operations[opcode & 15] : &reserved;
}

const char *rda_ulpdu_fault_words(enum rda_ulpdu_fault fault)
{
	static const char *const words[] = {
#define RDA_X(ID, text) [RDA_ULPDU_FAULT_##ID] = text,
		RDA_ULPDU_FAULTS(RDA_X)
#undef RDA_X
	};

	return words[fault];
}

struct reason {
	uint8_t layer, type;
	uint16_t code;
	const char *words;
};

enum { ANY_CODE = 0x100 };

/* NULL: there is none with such a layer and type. */
static const struct reason *reason_of(uint8_t layer, uint8_t type, uint8_t code)
{
	static const struct reason reasons[] = {
#define RDA_R(layer, type, code, words) {layer, type, code, words},
		RDA_TERMINATE_REASONS(RDA_R)
#undef RDA_R
	};

	for (unsigned i = 0; i < sizeof(reasons) / sizeof(reasons[0]); i++)
		if (reasons[i].layer == layer && reasons[i].type == type &&
		    (reasons[i].code == code || reasons[i].code == ANY_CODE))
			return &reasons[i];
	return NULL;
}

const char *rda_terminate_words(uint8_t layer, uint8_t type, uint8_t code)
{
	const struct reason *reason = reason_of(layer, type, code);

	return reason ? reason->words : "unknown reason";
}

/* There is one with just this code. */
static bool is_reason(uint8_t layer, uint8_t type, uint8_t code)
{
	const struct reason *reason = reason_of(layer, type, code);

	return reason && reason->code != ANY_CODE;
}

static void note(struct rda_ulpdu *u, enum rda_ulpdu_fault fault)
{
	u->faults |= (uint8_t)(1u << fault);
}

/*
 * siw (Linux) sends the two nibbles and the flags the other way round: no flag where the RFC has
 * them and some in the low bits is that form. Without any flag, as for an MPA CRC error, the code
 * tells where only one of the two ways makes a reason.
 */
static bool is_swapped(const uint8_t *control, struct rda_terminate *t)
{
	bool drawn = is_reason(t->layer, t->type, t->code);
	bool turned = t->layer != t->type && is_reason(t->type, t->layer, t->code);

	if (control[2] & 0xe0)
		return false;
	if (control[2] & 0x07)
		return true;
	t->either_way = drawn && turned;
	return turned && !drawn;
}

static void read_copies(struct rda_terminate *t, struct rda_cursor *c)
{
	const uint8_t *control, *length;

	if (t->has_length) {
		length = rda_cursor_take(c, 2);
		t->has_length = length != NULL;
		t->length = length ? rda_be16(length) : 0;
	}
	control = t->has_ddp ? rda_cursor_peek(c) : NULL;
	t->tagged = control && rda_bits(control, 0, 1);
	if (t->tagged)
		t->has_ddp = rda_read_ddp_tagged(c, &t->ddp_tagged);
	else if (t->has_ddp)
		t->has_ddp = rda_read_ddp_untagged(c, &t->ddp_untagged);
	t->opcode = t->tagged ? t->ddp_tagged.opcode : t->ddp_untagged.opcode;
	t->has_rdmap = t->has_rdmap && t->has_ddp && rda_read_rdmap_read(c, &t->read);
}

static void read_terminate(struct rda_ulpdu *u, struct rda_cursor *c)
{
	struct rda_terminate *t = &u->terminate;
	struct rda_cursor begin = *c;
	struct rda_rdmap_terminate as_drawn;
	const uint8_t *control;

	if (!rda_read_rdmap_terminate(c, &as_drawn))
		return;
	u->present |= RDA_HAS(RDMAP_TERMINATE);
	control = rda_cursor_take(&begin, RDA_RDMAP_TERMINATE_BYTES);
	*t = (struct rda_terminate){
		.layer = as_drawn.layer,
		.type = as_drawn.type,
		.code = as_drawn.code,
		.has_length = as_drawn.has_length,
		.has_ddp = as_drawn.has_ddp,
		.has_rdmap = as_drawn.has_rdmap,
	};
	t->swapped = is_swapped(control, t);
	if (t->swapped) {
		t->layer = as_drawn.type;
		t->type = as_drawn.layer;
		t->has_length = rda_bits(control, 23, 1);
		t->has_ddp = rda_bits(control, 22, 1);
		t->has_rdmap = rda_bits(control, 21, 1);
	}
	read_copies(t, c);
}

/* The control field has the same place in tagged and untagged segments. */
static void check_control(struct rda_ulpdu *u)
{
	const struct rda_rdmap_operation *operation = rda_rdmap_operation(u->opcode);
	bool tagged = u->tagged;
	uint8_t ddp_version = tagged ? u->ddp_tagged.ddp_version : u->ddp_untagged.ddp_version;
	uint8_t rdmap_version =
		tagged ? u->ddp_tagged.rdmap_version : u->ddp_untagged.rdmap_version;
	uint8_t reserved = tagged ? u->ddp_tagged.ddp_reserved | u->ddp_tagged.rdmap_reserved
				  : u->ddp_untagged.ddp_reserved | u->ddp_untagged.rdmap_reserved;

	if (!operation->known)
		note(u, RDA_ULPDU_FAULT_OPCODE);
	else if (operation->tagged != u->tagged)
		note(u, RDA_ULPDU_FAULT_TAGGED);
	else if (!u->tagged && u->present & RDA_HAS(DDP_UNTAGGED) &&
		 u->ddp_untagged.queue != operation->queue)
		note(u, RDA_ULPDU_FAULT_QUEUE);
	if (ddp_version != 1)
		note(u, RDA_ULPDU_FAULT_DDP_VERSION);
	if (rdmap_version > 1)
		note(u, RDA_ULPDU_FAULT_RDMAP_VERSION);
	if (reserved)
		note(u, RDA_ULPDU_FAULT_RESERVED);
}

/* What follows the DDP header of an untagged segment that has a header of its own. */
static bool read_rdmap(struct rda_ulpdu *u, struct rda_cursor *c)
{
	uint64_t header = rda_rdmap_operation(u->opcode)->header;
	bool read = true;

	if (header & RDA_HAS(RDMAP_READ))
		read = rda_read_rdmap_read(c, &u->read);
	else if (header & RDA_HAS(RDMAP_ATOMIC))
		read = rda_read_rdmap_atomic(c, &u->atomic);
	else if (header & RDA_HAS(RDMAP_ATOMIC_ACK))
		read = rda_read_rdmap_atomic_ack(c, &u->atomic_ack);
	else if (header & RDA_HAS(RDMAP_TERMINATE))
		read_terminate(u, c);
	if (read && !(header & RDA_HAS(RDMAP_TERMINATE)))
		u->present |= header;
	return read;
}

void rda_read_ulpdu(struct rda_ulpdu *u, const uint8_t *bytes, uint32_t captured, uint16_t length)
{
	uint32_t end = captured < length ? captured : length;
	struct rda_cursor c = {bytes, 0, end, length};
	const uint8_t *first = rda_cursor_peek(&c);
	bool read;

	u->length = length;
	u->faults = 0;
	u->present = 0;
	u->headers = 0;
	u->payload_length = 0;
	u->tagged = first && rda_bits(first, 0, 1);
	u->last = first && rda_bits(first, 1, 1);
	u->opcode = 15;
	if (u->tagged) {
		read = rda_read_ddp_tagged(&c, &u->ddp_tagged);
		u->present |= read ? RDA_HAS(DDP_TAGGED) : 0;
		u->opcode = read ? u->ddp_tagged.opcode : u->opcode;
	} else {
		read = rda_read_ddp_untagged(&c, &u->ddp_untagged);
		u->present |= read ? RDA_HAS(DDP_UNTAGGED) : 0;
		u->opcode = read ? u->ddp_untagged.opcode : u->opcode;
	}
	if (!read) {
		if (end == length)
			note(u, RDA_ULPDU_FAULT_SHORT);
		return;
	}
	check_control(u);
	c.offset = u->tagged ? RDA_DDP_TAGGED_BYTES : RDA_DDP_UNTAGGED_BYTES;
	if (!u->tagged && !read_rdmap(u, &c) && end == length)
		note(u, RDA_ULPDU_FAULT_SHORT);
	u->headers = (uint16_t)c.offset;
	u->payload_length = length - c.offset;
}
