#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Makes captures/made/: encapsulations, links, opcodes and messages that no recorded capture has.

usage: make.py PROGRAM FOLDER            writes the captures
       make.py --check PROGRAM FOLDER    fails when they are not what is there already

PROGRAM's own tables (--list-opcodes=json, --list-headers=json) say which opcodes and headers there are. The same script
makes the same bytes each time. What is right about these packets is decided by tshark, beside which
they are decoded in tests/differential.
"""

import json
import pathlib
import subprocess
import sys
import tempfile

import capfile
import cm
from capfile import (ERF, ETHERNET, INFINIBAND, IPV4, IPV6, LOOP, NULL, RAW, SLL, SLL2)
from frames import *  # noqa: F403  every layer by its name: that is what the module is for

START_NS, STEP_NS = 1_700_000_000_000_000_000, 10_000

SEND_ONLY, WRITE_ONLY, READ_REQUEST, ACKNOWLEDGE, UD_SEND, CNP = 0x04, 0x0A, 0x0C, 0x11, 0x64, 0x81
CAPTURES = {}  # file name: link type, function that returns its frames
CUT, MIXED = "cut_128.pcap", "mixed_links.pcapng"
CONTENTS = {CUT: "roce_rc_allops_cm.a cut by a snap length of 128",
            MIXED: "pcapng with interfaces of Ethernet, InfiniBand, Linux cooked v1 and raw IP"}


def capture(name, link, contents):
    def register(make):
        CAPTURES[name] = (link, make)
        CONTENTS[name] = contents
        return make
    return register


def write_only(length=13, **fields):
    return transport(WRITE_ONLY, reth(dmalen=length), pattern(length), **fields)


def packet(**fields):
    """The packet inside each encapsulation: RoCEv2 over IPv4, a WRITE of 13 bytes (pad 3)."""
    return rocev2_ip4(write_only(), **fields)


def packet6(**fields):
    return rocev2_ip6(write_only(), **fields)


# ---- Ethernet and what tags it ------------------------------------------------------------------

@capture("vlan.pcap", ETHERNET,
         "802.1Q, QinQ (0x88a8, 0x9100), three tags, RoCEv1 in a tag")
def make_vlan(_):
    inner = vlan(packet(), 100, priority=3, dei=1)
    yield ethernet(inner, 0x8100)
    yield ethernet(vlan(packet6(), 4094), 0x8100)
    yield ethernet(vlan(inner, 200, 0x8100, priority=7), 0x88A8)
    yield ethernet(vlan(inner, 300, 0x8100), 0x9100)
    yield ethernet(vlan(vlan(inner, 2, 0x8100), 3, 0x8100), 0x8100)
    yield ethernet(vlan(rocev1(write_only()), 5, 0x8915, priority=5), 0x8100)


@capture("mpls.pcap", ETHERNET,
         "one and two labels, multicast label, pseudowire with a control word")
def make_mpls(_):
    yield ethernet(mpls(packet(), [(1000, 0, 64)]), 0x8847)
    yield ethernet(mpls(packet6(), [(1000, 5, 64), (524288, 1, 63)]), 0x8847)
    yield ethernet(mpls(packet(), [(1001, 0, 2)]), 0x8848)
    # A pseudowire with a control word. The addresses have a real vendor's prefix, which is how
    # tshark tells the control word from an address.
    inside = ethernet(packet(), None, bytes.fromhex("b8599f000002"), bytes.fromhex("b8599f000001"))
    yield ethernet(mpls(bytes(4) + inside, [(1002, 0, 64)]), 0x8847)


@capture("pause.pcap", ETHERNET,
         "global pause and resume; PFC with two, all and no priorities stopped")
def make_pause(_):
    control = bytes.fromhex("0180c2000001")
    bodies = ["0001ffff", "00010000", "0101" + "0018" + "0000000000001234ffff000000000000",
              "0101" + "00ff" + "00010002000300040005000600070008", "0101" + "0008" + "00" * 16]
    for body in bodies:
        yield ethernet(bytes.fromhex(body).ljust(46, b"\0"), 0x8808, control)


@capture("rocev1.pcap", ETHERNET,
         "RoCEv1 with FECN, with Ethernet padding, with IPv4 in its GIDs; RoCEv2 with padding")
def make_rocev1(_):
    yield ethernet(rocev1(write_only()), 0x8915)
    yield ethernet(rocev1(transport(ACKNOWLEDGE, aeth())), 0x8915)
    yield ethernet(rocev1(write_only(3, fecn=1), tclass=0xE1, flow=0xABCDE, hop_limit=1), 0x8915)
    # shorter than Ethernet's 60 bytes only by its GRH length: what is behind is padding
    yield ethernet(rocev1(transport(SEND_ONLY)) + bytes(6), 0x8915)
    yield ethernet(packet() + bytes(8))
    mapped = bytes(10) + b"\xff\xff"
    yield ethernet(rocev1(transport(UD_SEND, deth(0x11111111, 0x22), pattern(40)),
                          sgid=mapped + IP4_A, dgid=mapped + IP4_B), 0x8915)


# ---- IP and tunnels -----------------------------------------------------------------------------

@capture("ip.pcap", ETHERNET,
         "DSCP and ECN, IPv4 options, IPv6 extension headers, an atomic fragment, CNP, every bit of a BTH")
def make_ip(_):
    yield ethernet(packet(dscp=26, ecn=2, ttl=1, flags=0))
    yield ethernet(packet(ecn=3, udp_checksum=0xABCD))
    yield ethernet(packet(options=bytes.fromhex("94040000")))  # router alert
    yield ethernet(packet(options=bytes.fromhex("0727" "04" + "00" * 36 + "00")))  # record route
    yield ethernet(packet6(dscp=46, ecn=1, flow=0x12345, hop_limit=255))
    yield ethernet(rocev2_ip6(write_only(), lambda u: (ip6_options(u, 17), 0)))
    yield ethernet(rocev2_ip6(write_only(), lambda u: (
        ip6_options(ip6_routing(ip6_options(u, 17), 60), 43, b"\x01\x0c" + bytes(12)), 0)))
    yield ethernet(rocev2_ip6(write_only(), lambda u: (ip6_fragment(u, 17), 44)))
    yield ethernet(rocev2_ip4(transport(CNP, payload=bytes(16), becn=1, dest_qp=0x118, psn=0),
                              source_port=0, dscp=48, ecn=2))
    yield ethernet(rocev2_ip4(write_only(fecn=1, becn=1, resv6a=0x2A, resv7=0x55, migreq=1, se=1,
                                         ack_req=1, tver=0, pkey=0x8001, psn=0xFFFFFF)))


@capture("fragments.pcap", ETHERNET,
         "IPv4 and IPv6 datagrams in two fragments each")
def make_fragments(_):
    whole = rocev2_ip4(write_only(96))[20:]
    yield ethernet(ip4(whole[:80], 17, flags=1))
    yield ethernet(ip4(whole[80:], 17, flags=0, fragment=10))
    whole = rocev2_ip6(write_only(96))[40:]
    yield ethernet(ip6(ip6_fragment(whole[:80], 17, more=1), 44))
    yield ethernet(ip6(ip6_fragment(whole[80:], 17, fragment=10), 44))


@capture("ip_in_ip.pcap", ETHERNET,
         "IPv4 and IPv6 in each other, MPLS in IP, 8 and 9 encapsulations")
def make_ip_in_ip(_):
    yield ethernet(ip4(packet(), 4))
    yield ethernet(ip4(packet6(), 41))
    yield ethernet(ip6(packet(), 4))
    yield ethernet(ip6(packet6(), 41))
    yield ethernet(ip4(mpls(packet(), [(16, 0, 9)]), 137))
    deep = packet()
    for _ in range(8):
        deep = ip4(deep, 4)
    yield ethernet(deep)
    yield ethernet(ip4(deep, 4))  # deeper than is followed


@capture("gre.pcap", ETHERNET,
         "GRE with and without key, sequence and checksum; of IP, Ethernet, MPLS")
def make_gre(_):
    yield ethernet(ip4(gre(packet(), 0x0800), 47))
    yield ethernet(ip4(gre(packet6(), 0x86DD, key=0x01020304), 47))
    yield ethernet(ip6(gre(ethernet(packet()), 0x6558, key=5, sequence=6, with_checksum=True), 47))
    yield ethernet(ip4(gre(mpls(packet(), [(77, 0, 7)]), 0x8847, sequence=9), 47))


@capture("erspan.pcap", ETHERNET,
         "ERSPAN I, II, III; with a platform subheader, of an IP packet")
def make_erspan(_):
    mirrored = ethernet(packet())
    yield ethernet(ip4(gre(mirrored, 0x88BE), 47))
    yield ethernet(ip4(gre(erspan2(mirrored, 1023, 4095, 7, 0xFFFFF), 0x88BE, sequence=1), 47))
    yield ethernet(ip4(gre(erspan2(ethernet(vlan(packet6(), 9), 0x8100), 1), 0x88BE, sequence=2), 47))
    yield ethernet(ip4(gre(erspan3(mirrored, 5, 6, 0x89ABCDEF, 0x1234, 0, 0x2A, 1, 2),
                           0x22EB, sequence=3), 47))
    platform = bytes.fromhex("14000123000004d2")  # platform 5: a switch's port
    yield ethernet(ip4(gre(erspan3(mirrored, 5, subheader=platform), 0x22EB, sequence=4), 47))
    yield ethernet(ip4(gre(erspan3(packet(), 5, frame_type=2), 0x22EB, sequence=5), 47))


@capture("vxlan.pcap", ETHERNET,
         "VXLAN on 4789 and 8472, with a group policy, with a VLAN, of RoCEv1")
def make_vxlan(_):
    mirrored = ethernet(packet())
    yield ethernet(ip4(udp(vxlan(mirrored, 0xABCDEF), 4789, 0xD000), 17))
    yield ethernet(ip6(udp(vxlan(ethernet(packet6()), 1, 0x8808, 0x1234), 4789, 0xD001), 17))
    yield ethernet(ip4(udp(vxlan(ethernet(vlan(packet(), 7), 0x8100), 2), 8472, 0xD002), 17))
    yield ethernet(ip4(udp(vxlan(ethernet(rocev1(write_only()), 0x8915), 3), 4789, 0xD003), 17))


@capture("geneve.pcap", ETHERNET,
         "GENEVE of Ethernet and IP, without and with options")
def make_geneve(_):
    mirrored = ethernet(packet())
    option = bytes.fromhex("0102" "80" "02" "1111111122222222")
    yield ethernet(ip4(udp(geneve(mirrored, 0xABCDEF, 0x6558), 6081, 0xD000), 17))
    yield ethernet(ip4(udp(geneve(mirrored, 7, 0x6558, option, oam=1, critical=1), 6081, 0xD001), 17))
    yield ethernet(ip6(udp(geneve(packet6(), 8, 0x86DD, option * 2), 6081, 0xD002), 17))
    yield ethernet(ip4(udp(geneve(packet(), 9, 0x0800), 6081, 0xD003), 17))


# ---- other links --------------------------------------------------------------------------------

@capture("sll.pcap", SLL,
         "Linux cooked v1")
def make_sll(_):
    return [sll(packet()), sll(packet6())]


@capture("sll2.pcap", SLL2,
         "Linux cooked v2")
def make_sll2(_):
    return [sll2(packet()), sll2(packet6())]


@capture("raw.pcap", RAW,
         "raw IP, both versions")
def make_raw(_):
    return [packet(), packet6()]


@capture("raw_ipv4.pcap", IPV4,
         "LINKTYPE_IPV4")
def make_raw_ipv4(_):
    return [packet()]


@capture("raw_ipv6.pcap", IPV6,
         "LINKTYPE_IPV6")
def make_raw_ipv6(_):
    return [packet6()]


@capture("null.pcap", NULL,
         "BSD loopback in both byte orders, with each system's number for IPv6")
def make_null(_):
    for order in "<>":
        yield loopback(packet(), 2, order)
        for family in (24, 28, 30):  # AF_INET6 of NetBSD and OpenBSD, FreeBSD, macOS
            yield loopback(packet6(), family, order)


@capture("loop.pcap", LOOP,
         "OpenBSD loopback")
def make_loop(_):
    return [loopback(packet(), 2, ">"), loopback(packet6(), 24, ">")]


@capture("erf.pcap", ERF,
         "ERF records of InfiniBand and Ethernet, with extension headers")
def make_erf(_):
    for number, record in enumerate((
            (infiniband(write_only()), 21), (infiniband(write_only(), {}), 21),
            (ethernet(packet()), 2), (ethernet(rocev1(write_only()), 0x8915), 2),
            (infiniband(write_only()), 21, bytes.fromhex("0300000000000000")),
            (ethernet(packet6()), 2, bytes.fromhex("8300000000000000" "0300000000000001")))):
        yield erf(*record, time_s=START_NS // 1_000_000_000 + number)


@capture("infiniband.pcap", INFINIBAND,
         "LINKTYPE_INFINIBAND: LNH 0 to 3, CNP 0x80, a packet without its VCRC")
def make_infiniband(_):
    yield infiniband(write_only())
    yield infiniband(write_only(), {})
    yield infiniband(write_only(fecn=1), {"tclass": 0xE3, "flow": 0xABCDE, "hop_limit": 0},
                     vl=3, sl=9, dlid=0xC001, slid=0xFFFE)
    yield infiniband(transport(ACKNOWLEDGE, aeth()), vl=15)
    yield infiniband(transport(0x80, payload=bytes(16), becn=1))
    yield raw_infiniband(bytes.fromhex("00000806") + pattern(28), 0)  # a raw EtherType: ARP
    yield raw_infiniband(ip6(pattern(40), 59), 1)  # raw IPv6, no next header
    yield infiniband(write_only())[:-2]  # captured without its VCRC


# ---- opcodes, syndromes, messages ---------------------------------------------------------------

# extended headers; one that is not here is a pattern of its length
HEADERS = {"rdeth": rdeth, "deth": lambda: deth(0x11223344, 0x000022), "xrceth": xrceth,
           "feth": feth, "reth": reth, "atomiceth": atomiceth, "aeth": aeth,
           "atomicacketh": atomicacketh, "immdt": immdt, "ieth": ieth}
PAYLOADS = {"0": 0, "MTU": 256, "1..MTU": 5, "0..MTU": 10, "8": 8}  # bytes: not all multiples of 4


def opcode_packets(opcodes):
    """A packet of each opcode of the table, one reserved and two of a vendor."""
    for row in opcodes:
        extended = b"".join(HEADERS[header]() for header in row["headers"])
        payload = pattern(PAYLOADS[row["payload"]], row["opcode"])
        yield transport(row["opcode"], extended, payload, psn=0x000100 + row["opcode"])
    for opcode in (0x18, 0xC0, 0xFF):
        yield transport(opcode, payload=pattern(24, opcode))


@capture("opcodes_rocev2.pcap", ETHERNET,
         "every opcode of the table, a reserved one and two of a vendor; RoCEv2")
def make_opcodes_rocev2(opcodes):
    return [ethernet(rocev2_ip4(packet)) for packet in opcode_packets(opcodes)]


@capture("opcodes_rocev1.pcap", ETHERNET,
         "the same in RoCEv1")
def make_opcodes_rocev1(opcodes):
    return [ethernet(rocev1(packet), 0x8915) for packet in opcode_packets(opcodes)]


@capture("opcodes_infiniband.pcap", INFINIBAND,
         "the same in native InfiniBand")
def make_opcodes_infiniband(opcodes):
    return [infiniband(packet) for packet in opcode_packets(opcodes)]


@capture("syndromes.pcap", ETHERNET,
         "an acknowledgment with each of the 256 AETH syndromes")
def make_syndromes(_):
    for syndrome in range(256):
        yield ethernet(rocev2_ip4(transport(ACKNOWLEDGE, aeth(syndrome, syndrome))))


@capture("cm.pcap", ETHERNET,
         "every CM message with every field set; REQ and SIDR REQ also with IP CM private data")
def make_cm(_):
    for _, datagram, _ in cm.messages():
        yield ethernet(rocev2_ip4(transport(UD_SEND, deth(), datagram, dest_qp=1)))


@capture("mads.pcap", INFINIBAND,
         "a MAD of each management class")
def make_mads(_):
    """One MAD of each class; SubnLID and SubnDirected go to QP0 on VL 15. Then one each way between
    QP1 and a QP that an agent redirected to."""
    for class_, method, attribute in ((0x01, 0x01, 0x15), (0x81, 0x81, 0x11), (0x03, 0x92, 0x35),
                                      (0x04, 0x01, 0x12), (0x04, 0x81, 0x1D), (0x05, 0x01, 1),
                                      (0x06, 0x01, 1), (0x07, 0x03, 0x01), (0x08, 0x03, 1),
                                      (0x09, 0x01, 1), (0x21, 0x01, 1), (0x30, 0x01, 1), (0x7F, 1, 1)):
        datagram = cm.mad(class_, method, attribute, pattern(232), tid=0x1122334455667788,
                          status=0x1234, modifier=0x99AABBCC, specific=0x5566, version=1)
        to_sm = class_ in (0x01, 0x81)
        yield infiniband(transport(UD_SEND, deth(0 if to_sm else 0x80010000, 0 if to_sm else 1),
                                   datagram, dest_qp=0 if to_sm else 1), vl=15 if to_sm else 0)
    for source, destination in ((1, 0x123), (0x123, 1)):
        yield infiniband(transport(UD_SEND, deth(0x80010000, source),
                                   cm.mad(0x06, 0x01, 0x10, pattern(232)), dest_qp=destination))


# ---- damaged packets ----------------------------------------------------------------------------

@capture("malformed.pcap", ETHERNET,
         "a wrong ICRC; packets that end too early or contradict themselves")
def make_malformed(_):
    whole = packet()
    yield ethernet(whole[:-1] + bytes([whole[-1] ^ 1]))  # a wrong ICRC
    yield ethernet(ip4(udp(write_only()[:20], ROCEV2_PORT), 17))  # ends inside the RETH
    yield ethernet(ip4(udp(bth(SEND_ONLY), ROCEV2_PORT), 17))  # no room for an ICRC
    yield ethernet(rocev2_ip4(bth(SEND_ONLY, pad=3)))  # more pad than bytes
    yield ethernet(rocev2_ip4(bth(SEND_ONLY) + pattern(6)))  # not a multiple of 4
    yield ethernet(whole[:2] + b"\x02\x00" + whole[4:])  # IP claims more than there is
    yield ethernet(b"\x44" + whole[1:])  # an IP header of 16 bytes
    yield ethernet(ip4(udp(whole[28:], ROCEV2_PORT, length=200), 17))  # UDP claims more than IP


# ---- writing them -------------------------------------------------------------------------------

def write_all(program, folder):
    opcodes, headers = (json.loads(subprocess.run([program, f"--list-{table}=json"], stdout=subprocess.PIPE,
                                                  check=True).stdout) for table in ("opcodes", "headers"))
    for header in headers:
        HEADERS.setdefault(header["header"], lambda length=header["bytes"]: pattern(length, 0xE0))
    for name, (link, make) in CAPTURES.items():
        capfile.write_pcap(folder / name, link, timed(make(opcodes)))
    recorded = pathlib.Path(__file__).resolve().parents[2] / "captures" / "roce_rc_allops_cm.a.pcap"
    cut = [(frame.time_ns, frame.data) for frame in capfile.read(recorded)]
    capfile.write_pcap(folder / CUT, ETHERNET, cut, snaplen=128)
    links = [(ETHERNET, ethernet(packet())), (INFINIBAND, infiniband(write_only())),
             (SLL, sll(packet6())), (RAW, packet())] * 2
    capfile.write_pcapng(folder / MIXED, [link for link, _ in links[:4]],
                         [(i % 4, time_ns, data) for i, (time_ns, data) in
                          enumerate(timed(data for _, data in links))])


def timed(frames):
    return [(START_NS + i * STEP_NS, data) for i, data in enumerate(frames)]


def check(program, folder):
    """The number of captures that differ from what would be made now."""
    with tempfile.TemporaryDirectory() as made:
        made = pathlib.Path(made)
        write_all(program, made)
        names = {path.name for path in folder.iterdir()} | {path.name for path in made.iterdir()}
        differ = [name for name in sorted(names) if not (
            (folder / name).exists() and (made / name).exists() and
            (folder / name).read_bytes() == (made / name).read_bytes())]
    for name in differ:
        print(f"{folder / name}: not what make.py makes: run tests/captures/make.py {program} {folder}, then "
              f"contents.py {program} {folder.parent}, and look at the difference")
    return len(differ)


def main():
    checking = sys.argv[1] == "--check"
    program, folder = sys.argv[-2], pathlib.Path(sys.argv[-1])
    if checking:
        sys.exit(1 if check(program, folder) else 0)
    folder.mkdir(exist_ok=True)
    write_all(program, folder)


if __name__ == "__main__":
    main()
