# SPDX-License-Identifier: GPL-2.0-or-later
"""TRANSFORMATIONS: ways to make a capture poorer or merely different. poorer.py holds the program to what
must not change by them; what is said of the result is its part.

A row is a name and a function of a Whole and a random generator; it returns the files to give to the
program, each a list of records (time_ns, bytes, length before a cut), or None where it does not apply.
"""

import itertools
import pathlib
import struct
from collections import Counter, namedtuple

import capfile
from frames import ROCEV2_PORT, checksum, icrc, masked_routing

# A capture that has all: its path, its frames (capfile.Frame)
Whole = namedtuple("Whole", "path frames")

DSCP = 26
LATE_NS = 30_000         # between the two directions of a mirror, as switches with one queue each have it
COPY_NS = 2_000          # from a packet to a mirror's copy of it
DISPLACEMENT = 8         # packets, at most, that a sprayed one is late by
# Paths of one fabric differ by what waits in their queues: some 10 us, and 1 ms where a deep buffer is full.
# What comes behind a longer pause took no other path, but was sent then: another history than the capture's,
# of which other things are true. Nor does a path put an answer in front of what it answers: past a packet of
# another sender one comes as late as mirrors of two paths differ (RDA_MIRROR_NS), no more.
SPREAD_NS, MIRRORS_APART_NS = 1_000_000, 100_000
MISSED_ONE_IN, KEPT_ONE_IN = 100, 5  # a mirror's port drops most of one direction where both do not fit into it
BURST_ONE_IN, BURST = 100, (5, 120)  # what a capture misses whose buffer overflows: so often, so many frames in a row
HOP_NS = (5_000, 20_000)  # a router takes so long, or from one mirrored port of a switch to the next
ETHERNET_TAGS = (0x8100, 0x88A8)
IP6_EXTENSIONS, IP6_FRAGMENT = (0, 43, 44, 60), 44  # hop-by-hop, routing, fragment, destination
TCP, UDP = 6, 17
FLUSH = 0x1C


# ---- what a frame is ----------------------------------------------------------------------------

def ip_offset(frame):
    """Where the outermost IP header of an Ethernet frame begins; None: there is none."""
    at = 12
    while frame.link == capfile.ETHERNET and at + 2 <= len(frame.data):
        kind, = struct.unpack_from(">H", frame.data, at)
        if kind not in ETHERNET_TAGS:
            return at + 2 if kind in (0x0800, 0x86DD) and at + 22 <= len(frame.data) else None
        at += 4
    return None


def protocol(frame, at):
    """-> the protocol behind an IP header and its extensions, and where it begins"""
    if frame.data[at] >> 4 == 4:
        return frame.data[at + 9], at + (frame.data[at] & 15) * 4
    number, at = frame.data[at + 6], at + 40
    while number in IP6_EXTENSIONS and at + 2 <= len(frame.data):
        number, at = frame.data[at], at + (8 if number == IP6_FRAGMENT else 8 + 8 * frame.data[at + 1])
    return number, at


def ends(frame):
    """The source and destination addresses, as bytes; None where there is no IP."""
    at = ip_offset(frame)
    if at is None:
        return None
    first, size = (at + 12, 4) if frame.data[at] >> 4 == 4 else (at + 8, 16)
    return frame.data[first:first + size], frame.data[first + size:first + 2 * size]


def hosts(frames):
    """The two addresses that talk most with each other, sorted; None where nobody answers."""
    pairs = Counter(frozenset(pair) for pair in map(ends, frames) if pair and pair[0] != pair[1])
    return sorted(pairs.most_common(1)[0][0]) if pairs else None


# ---- bytes --------------------------------------------------------------------------------------

def rocev2(frame):
    """Where the IP header, the UDP header and what is behind the ICRC of a RoCEv2 packet begin; None: it is none, or cut."""
    at = ip_offset(frame)
    if at is None:
        return None
    number, datagram = protocol(frame, at)
    if number != UDP or datagram + 8 > len(frame.data):
        return None
    port, length = struct.unpack_from(">HH", frame.data, datagram + 2)
    end = datagram + length
    return (at, datagram, end) if port == ROCEV2_PORT and datagram + 12 <= end <= len(frame.data) else None


def without_icrc(frame):
    """The ICRC of RoCEv2 blanked, as captures have it that were made before the NIC puts it in."""
    place = rocev2(frame)
    return frame.data[:place[2] - 4] + bytes(4) + frame.data[place[2]:] if place else frame.data


def icrc_of(data, at, datagram, end):
    return icrc(masked_routing("ip4", data[at:datagram + 8]), data[datagram + 8:end - 4])


def without_identification(frame):
    """One IP identification for all, as some NICs have it. An ICRC stays as right, or wrong, as it was."""
    place = rocev2(frame)
    if not place or frame.data[place[0]] >> 4 != 4:
        return frame.data
    at, _, end = place
    data = bytearray(frame.data)
    data[at + 4:at + 6] = data[at + 10:at + 12] = bytes(2)
    struct.pack_into(">H", data, at + 10, checksum(bytes(data[at:at + (data[at] & 15) * 4])))
    if any(data[end - 4:end]):
        data[end - 4:end] = bytes(had ^ was ^ is_now for had, was, is_now in zip(
            frame.data[end - 4:end], icrc_of(frame.data, *place), icrc_of(data, *place)))
    return bytes(data)


def has_flush(frames):
    """Linux's ICRC of a FLUSH is another one."""
    return any(place and frame.data[place[1] + 8] & 31 == FLUSH for frame, place in zip(frames, map(rocev2, frames)))


def with_dscp(frame):
    """The outermost DSCP set; the ICRC stays right, as it masks the traffic class."""
    at = ip_offset(frame)
    if at is None:
        return frame.data
    data = bytearray(frame.data)
    if data[at] >> 4 == 6:
        word, = struct.unpack_from(">I", data, at)
        struct.pack_into(">I", data, at, word & ~(63 << 22) | DSCP << 22)
        return bytes(data)
    data[at + 1] = DSCP << 2 | data[at + 1] & 3
    data[at + 10:at + 12] = bytes(2)
    struct.pack_into(">H", data, at + 10, checksum(bytes(data[at:at + (data[at] & 15) * 4])))
    return bytes(data)


def routed(frame):
    """Behind a router: other MAC addresses, and one hop less."""
    at = ip_offset(frame)
    if at is None:
        return frame.data
    data = bytearray(frame.data)
    data[:12] = bytes((2, 0, 0, 0, 0, 2, 2, 0, 0, 0, 0, 1))
    data[at + (8 if data[at] >> 4 == 4 else 7)] -= 1
    if data[at] >> 4 == 4:
        data[at + 10:at + 12] = bytes(2)
        struct.pack_into(">H", data, at + 10, checksum(bytes(data[at:at + (data[at] & 15) * 4])))
    return bytes(data)


def tagged(frame):
    """As it leaves a port that carries VLANs."""
    return frame.data[:12] + bytes.fromhex("81006007") + frame.data[12:]


# ---- records ------------------------------------------------------------------------------------

def records_of(frames):
    return [(frame.time_ns, frame.data, frame.wire) for frame in frames]


def double(frames, delay_ns):
    """-> the records, and of each the number that its original has in `frames`; the capture ends as it did"""
    made = sorted([(frame.time_ns, 0, frame) for frame in frames]
                  + [(frame.time_ns + delay_ns, 1, frame) for frame in frames
                     if frame.time_ns + delay_ns <= frames[-1].time_ns],
                  key=lambda record: record[:2])
    return [(time_ns, frame.data, frame.wire) for time_ns, _, frame in made], [
        frame.number for _, _, frame in made]


# ---- rows ---------------------------------------------------------------------------------------

def changed(*changes):
    def make(whole, _):
        frames = whole.frames
        for change in changes:
            frames = [frame._replace(data=change(frame)) for frame in frames]
        return [records_of(frames)] if frames != whole.frames else None
    return make


def cut(length):
    return changed(lambda frame: frame.data[:length])


def rounded(unit_ns):
    return lambda whole, _: [[(time_ns // unit_ns * unit_ns, *rest)
                              for time_ns, *rest in records_of(whole.frames)]]


def one_direction(host):
    def make(whole, _):
        pair = hosts(whole.frames)
        if not pair:
            return None
        return [records_of(frame for frame in whole.frames
                           if ends(frame) and ends(frame)[0] == pair[host])]
    return make


def direction_late(host):
    def make(whole, _):
        pair = hosts(whole.frames)
        if not pair:
            return None
        stamped = [(time_ns + LATE_NS * (bool(ends(frame)) and ends(frame)[0] == pair[host]), *rest)
                   for frame, (time_ns, *rest) in zip(whole.frames, records_of(whole.frames))]
        return [sorted(stamped, key=lambda record: record[0])]
    return make


def both_taps(step):
    def make(whole, _):
        other = partner(whole.path)
        if not other:
            return None
        return [records_of(whole.frames), records_of(capfile.read(other))][::step]
    return make


def partner(path):
    """The capture of the other host's tap; None where there is none, or where it is the first's partner."""
    other = pathlib.Path(str(path).replace(".a.pcap", ".b.pcap"))
    return other if other != path and other.exists() else None


def files_exchanged(whole, _):
    middle = len(whole.frames) // 2
    return [records_of(whole.frames[middle:]), records_of(whole.frames[:middle])] if middle else None


def sprayed(whole, rng):
    """Each packet may come up to DISPLACEMENT places and SPREAD_NS later, at the time of what it comes beside: a path
    makes packets late, and none early. What reacted to another then still did no sooner."""
    times = [frame.time_ns for frame in whole.frames]
    senders = [(ends(frame) or (None,))[0] for frame in whole.frames]

    def may_overtake(late, early):
        apart = SPREAD_NS if senders[late] == senders[early] else MIRRORS_APART_NS
        return times[late] <= times[early] + apart

    def reach(place):
        behind = range(place, min(place + DISPLACEMENT, len(times)))
        return sum(1 for _ in itertools.takewhile(lambda later: may_overtake(later, place), behind))

    late = sorted((place + rng.uniform(0, reach(place)), place) for place in range(len(times)))
    return [[(times[int(at)], whole.frames[place].data, whole.frames[place].wire) for at, place in late]]


def missing(one_in):
    return lambda whole, rng: [records_of(frame for frame in whole.frames if rng.randrange(one_in))]


def bursts_missing(whole, rng):
    kept, behind = [], 0
    for place, frame in enumerate(whole.frames):
        if place >= behind:
            kept.append(frame)
            if not rng.randrange(BURST_ONE_IN):
                behind = place + 1 + rng.randrange(*BURST)
    return [records_of(kept)]


def shown_again(change):
    """Each packet is seen once more, a hop behind, where something of it is another."""
    def make(whole, rng):
        if whole.frames[0].link != capfile.ETHERNET:
            return None
        made = [(frame.time_ns + late, late, place, data, frame.wire + len(data) - len(frame.data))
                for place, frame in enumerate(whole.frames)
                for late, data in ((0, frame.data), (rng.randrange(*HOP_NS), change(frame)))]
        return [[(time_ns, data, wire) for time_ns, _, _, data, wire in sorted(made, key=lambda record: record[:3])]]
    return make


def mostly_missing(host):
    def make(whole, rng):
        pair = hosts(whole.frames)
        if not pair:
            return None
        return [records_of(frame for frame in whole.frames
                           if not ends(frame) or ends(frame)[0] != pair[host] or not rng.randrange(KEPT_ONE_IN))]
    return make


def without_identifications(whole, rng):
    return None if has_flush(whole.frames) else changed(without_identification)(whole, rng)


def begun(whole, rng):
    return [records_of(itertools.islice(whole.frames, rng.randrange(len(whole.frames)), None))]


def ended(whole, rng):
    return [records_of(whole.frames[:1 + rng.randrange(len(whole.frames))])]


TRANSFORMATIONS = [
    ("icrc-zeroed", changed(without_icrc)),
    ("dscp-set", changed(with_dscp)),
    ("dscp-set-icrc-zeroed", changed(with_dscp, without_icrc)),
    ("without-identifications", without_identifications),
    ("first-host-only", one_direction(0)),
    ("second-host-only", one_direction(1)),
    ("both-taps", both_taps(1)),
    ("both-taps-exchanged", both_taps(-1)),
    ("files-exchanged", files_exchanged),
    ("cut-at-64", cut(64)),
    ("cut-at-96", cut(96)),
    ("stamps-of-1-us", rounded(1_000)),
    ("stamps-of-10-us", rounded(10_000)),
    ("stamps-of-1-ms", rounded(1_000_000)),
    ("doubled", lambda whole, _: [double(whole.frames, COPY_NS)[0]]),
    ("sprayed", sprayed),
    ("tap-missed-1-percent", missing(MISSED_ONE_IN)),
    ("tap-missed-half", missing(2)),
    ("tap-missed-bursts", bursts_missing),
    ("second-host-mostly-missing", mostly_missing(1)),
    ("before-and-behind-a-router", shown_again(routed)),
    ("untagged-and-tagged", shown_again(tagged)),
    ("first-host-30-us-late", direction_late(0)),
    ("second-host-30-us-late", direction_late(1)),
    ("beginning-missing", begun),
    ("end-missing", ended),
]
