#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Makes captures of iWARP, and the truth of each beside it.

usage: generate.py SEED[-SEED] FOLDER     writes FOLDER/seed-SEED.pcap
       generate.py --tell SEED            every segment with its fate, and what was in it
"""

import pathlib
import random
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent))  # behind its own

import rdma
import seeds
import tcp
import wire as w
from path import Host, Link
from plan import draw

LONGEST_NS = 20_000_000_000
START_NS = 1_700_000_000_000_000_000


class Scene:
    """One seed: it runs, and keeps what passed the tap."""

    def __init__(self, seed):
        rng = random.Random(f"iwarp {seed}")
        self.plan, self.seed = draw(rng), seed
        self.rng = random.Random(rng.random())
        self.clock = seeds.Clock()
        self.hosts = [Host(i, plan, self.rng, self.clock) for i, plan in enumerate(self.plan.hosts)]
        self.to_tap = [Link(plan, self.rng, self.clock, True) for plan in self.plan.to_tap]
        self.from_tap = [Link(plan, self.rng, self.clock, False) for plan in self.plan.from_tap]
        self.sent, self.passed, self.pairs = [], [], []
        self.ends = {}
        for conversation in self.plan.conversations:
            self.begin(conversation, conversation.first, conversation.begin_ns)
        self.clock.run(LONGEST_NS)
        for conversation in self.plan.conversations:
            if conversation.again_ns:
                first = [number + self.rng.randrange(1 << 20, 1 << 30) for number in conversation.first]
                self.begin(conversation, first, self.clock.now + conversation.again_ns)
        self.clock.run(2 * LONGEST_NS)
        self.records = self.show()

    # ---- the run ----

    def begin(self, plan, first, begin_ns):
        pair = []
        for i in range(2):
            ports = (plan.ports[i], plan.ports[1 - i])
            end = tcp.End(self.hosts[plan.hosts[i]], self.clock, self.rng, plan.tcp[i], first[i], ports)
            end.out, end.side, end.conversation = self.leave, i, len(self.pairs)
            app = rdma.End(end, self.clock, self.rng, plan.ends[i], i == 0, len(self.pairs))
            pair.append(app)
        for i in range(2):
            pair[i].peer, pair[i].tcp.peer = pair[1 - i], pair[1 - i].tcp
        self.pairs.append(pair)
        self.clock.at(begin_ns, self.start, pair, plan)

    def start(self, pair, plan):
        for i, app in enumerate(pair):
            self.ends[plan.hosts[i], app.tcp.ports] = app.tcp
            if app.plan.closes == "abrupt":
                self.clock.at(self.clock.now + app.plan.close_at, app.leave)
        if not plan.begun:
            pair[0].tcp.connect()
            return
        for i in range(2):
            mine, theirs = pair[i].tcp, pair[1 - i].tcp
            mine.state, mine.una, mine.nxt, mine.high = "open", mine.begin, mine.begin, mine.begin
            mine.due = mine.read = mine.peer_begin = theirs.begin
            mine.peer_mss, mine.peer_scale = theirs.habits.mss, theirs.habits.scale
            mine.peer_window = theirs.habits.room >> (theirs.habits.scale or 0) << (theirs.habits.scale or 0)
        for app in pair:
            app.opened()

    def leave(self, s):
        s.sent_ns, s.number = self.clock.now, len(self.sent)
        self.sent.append(s)
        when = self.hosts[s.host].slot(66 + len(s.payload))
        self.clock.at(when, self.to_tap[s.host].carry, s, None, self.passes)

    def passes(self, s, damage, copy):
        s.passed.append(self.clock.now)
        self.passed.append((self.clock.now, s, damage, copy))
        self.from_tap[s.to_host].carry(s, damage, self.arrives)

    def arrives(self, s, damage, copy):
        end = self.ends.get((s.to_host, s.ports[::-1]))
        if (damage and damage[0] == "wrong") or end is None or end.conversation != s.conversation:
            return
        s.arrived.append(self.clock.now)
        end.receive(s, self.payload(s, damage))

    @staticmethod
    def payload(s, damage):
        """A damaged segment has some other bits in one byte, or two."""
        if not damage or damage[0] != "silent":
            return s.payload
        data = bytearray(s.payload)
        for at in {damage[1] % len(data), damage[1] // 7 % len(data)}:
            data[at] ^= (1, 2, 0x80, 0x18, 0x51)[damage[1] % 5]
        return bytes(data)

    # ---- what the tap makes of it ----

    def show(self):
        """The records (stamp, bytes, length, segments), in their order; segments have the numbers of their frames."""
        tap, rng = self.plan.tap, self.rng
        count, shown = len(self.passed), []
        begin, end = int(tap.begin * count), int(tap.end * count)
        for frame in self.merge():
            place, when, parts = frame
            for s, _ in parts:
                if not begin <= place <= end or rng.random() < tap.miss or (tap.only is not None
                                                                           and (s.host != 0) == tap.only):
                    s.missed += 1
                    break
            else:
                data = self.frame(parts)
                late = tap.late_ns * (tap.late_host is not None and (parts[0][0].host != 0) == tap.late_host)
                for again in range(1 + bool(tap.mirror_ns)):
                    stamp = when + late + int(again * tap.mirror_ns + rng.random() * tap.jitter_ns)
                    shown.append((stamp // tap.round_ns * tap.round_ns, len(shown), data, parts))
        shown.sort(key=lambda record: record[:2])
        for number, (_, _, _, parts) in enumerate(shown, 1):
            for s, damage in parts:
                s.shown.append((number, damage))
        return [(START_NS + stamp, data[:tap.snap], len(data), parts) for stamp, _, data, parts in shown]

    def merge(self):
        """(place, time, [(segment, damage)]): a host's tap sees segments before they are cut, or put together."""
        tap, out, last = self.plan.tap, [], {}
        for place, (when, s, damage, _) in enumerate(self.passed):
            key = s.conversation, s.side
            before = last.get(key)
            if tap.merge_ns and before is not None and self.goes_on(before, when, s, damage):
                before[2].append((s, damage))
                before[3] = when
                continue
            frame = [place, when, [(s, damage)], when]
            out.append(frame)
            last[key] = frame
        return [frame[:3] for frame in out]

    def goes_on(self, before, when, s, damage):
        tap, parts = self.plan.tap, before[2]
        tail = parts[-1][0]
        size = sum(len(part.payload) for part, _ in parts)
        plain = (w.ACK, w.ACK | w.PSH)
        return (s.payload and tail.payload and s.seq == tail.end() and when - before[3] <= tap.merge_ns
                and size + len(s.payload) <= tap.merge_most and not s.sacks and not tail.sacks
                and s.flags in plain and tail.flags == w.ACK and (damage or ("",))[0] != "wrong"
                and (parts[-1][1] or ("",))[0] != "wrong")

    def frame(self, parts):
        first, damage = parts[0]
        last = parts[-1][0]
        payload = b"".join(self.payload(s, each) for s, each in parts)
        own = self.plan.tap.offload and first.host == 0
        merged_sum = self.plan.tap.merged_sum if len(payload) > 1460 else "partial"  # Linux, or what a NIC leaves
        checksum = "partial" if own else merged_sum if len(parts) > 1 else "right"
        if len(parts) > 1:
            given = dict(vars(first), flags=first.flags | last.flags, ack=last.ack, window=last.window)
            first = tcp.Segment(**given)
        data = bytearray(w.frame(first, payload, checksum))
        if damage and damage[0] == "wrong":  # anywhere behind IP
            front = w.ETHERNET + (20 if first.version == 4 else 40)
            data[front + damage[1] % (len(data) - front)] ^= (1, 2, 0x80, 0x18, 0x51)[damage[1] % 5]
        return bytes(data)

    # ---- for people ----

    def tell(self, out):
        plan = self.plan
        out.write(f"faults {plan.faults} tap {vars(plan.tap)}\nidentifications {[h.ident for h in plan.hosts]}\n")
        for number, pair in enumerate(self.pairs):
            for app in pair:
                t = app.tcp
                out.write(f"#{number} {w.written(t.host.number, t.habits.version)}:{t.ports[0]} crc {app.crc} markers "
                          f"{app.marked} mss {t.mss()} cut {t.habits.cut} begun {app.plan.begun} state {t.state} "
                          f"refused {app.refused and app.refused[0]} closes {app.plan.closes} {app.plan.close_by}\n")
        for s in self.sent:
            out.write(self.tell_segment(s) + "\n")

    def tell_segment(self, s):
        app = self.pairs[s.conversation][s.side]
        inside = [f"{'start' if r.kind == 'start' else w.NAMES[r.opcode]}"
                  f"{'' if r.message is None else f' {app.messages.index(r.message)}.{r.index}'}"
                  f"{'+' if r.begin < s.seq else ''}{'..' if r.end > s.end() else ''}"
                  for r in app.records if r.begin < s.end() and r.end > s.seq]
        flags = "".join(name for name, bit in zip("FSRP", (1, 2, 4, 8)) if s.flags & bit)
        frames = [f"{number}{damage[0] if damage else ''}" for number, damage in s.shown]
        return (f"{s.sent_ns / 1000:11.1f} #{s.conversation}.{s.side} {flags or '-'} "
                f"{s.seq & 0xFFFFFFFF}+{len(s.payload)} "
                f"ack {(s.ack or 0) & 0xFFFFFFFF} win {s.window} id {s.ident} {s.why}{' REPEATS' * s.repeats}"
                f"{' LOST before' * bool(s.lost_before)}{' DAMAGED before' * bool(s.damaged_before)}"
                f"{' LOST behind' * bool(s.lost_behind)}{' DAMAGED behind' * bool(s.damaged_behind)}"
                f"{' MISSED' * bool(s.missed)} frames {frames} passed {[round(t / 1000, 1) for t in s.passed]} "
                f"arrived {[round(t / 1000, 1) for t in s.arrived]} {inside}"
                f"{f' sack {[(a & 0xFFFFFFFF, b & 0xFFFFFFFF) for a, b in s.sacks]}' if s.sacks else ''}")


def write(seed, folder):
    """-> the path of the capture, and the scene"""
    scene = Scene(seed)
    path = pathlib.Path(folder) / f"iwarp-{seed}.pcap"
    w.write_pcap(path, [record[:3] for record in scene.records])
    return path, scene


if __name__ == "__main__":
    seeds.main(__doc__, lambda seed, out: Scene(seed).tell(out), write)
