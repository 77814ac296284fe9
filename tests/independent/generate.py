#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Makes captures of RoCEv2, and the truth of each beside it.

usage: generate.py SEED[-SEED] FOLDER     writes FOLDER/seed-SEED.pcap and .json
       generate.py --tell SEED            every packet with its fate, and what requesters did
"""

import json
import pathlib
import random

import rocev2 as f
import seeds
from ends import End, Requester, Responder
from network import Host, Link, hash_of
from plan import draw

LONGEST_NS = 60_000_000_000
START_NS = 1_700_000_000_000_000_000


class Scene:
    """One seed: it runs, and keeps what passed the tap."""

    def __init__(self, seed):
        rng = random.Random(f"independent {seed}")
        self.plan, self.seed = draw(rng), seed
        self.rng = random.Random(rng.random())
        self.clock = seeds.Clock()
        self.hosts = [Host(i, plan, self.rng, self.clock) for i, plan in enumerate(self.plan.hosts)]
        self.to_tap = [Link(plan, self.rng, self.clock, True) for plan in self.plan.to_tap]
        self.from_tap = [Link(plan, self.rng, self.clock, False) for plan in self.plan.from_tap]
        self.ends, self.lives = {}, []  # lives: of each QP its pairs of ends, one after the other
        self.sent, self.passed = [], []
        for qp in self.plan.qps:
            self.lives.append([])
            self.begin(qp, self.lives[-1], qp.psn, qp.posts, qp.begin_ns)
        self.clock.run(LONGEST_NS)
        for qp, lives in zip(self.plan.qps, self.lives):
            if qp.anew:
                psn = qp.psn if qp.anew.same_psn else [self.rng.randrange(1 << 24) for _ in range(2)]
                for responder in qp.responder:
                    responder.first_msn = 0
                self.begin(qp, lives, psn, qp.anew.posts, self.clock.now + qp.anew.pause_ns)
        self.clock.run(2 * LONGEST_NS)
        self.records = self.show()

    # ---- the run ----

    def begin(self, qp, lives, psn, posts, begin_ns):
        pair = [End(self.hosts[qp.hosts[i]], self.clock, self.rng, qp.qpn[i], qp.mtu, qp.port) for i in range(2)]
        for i, end in enumerate(pair):
            end.peer, end.out = pair[not i], self.leave
            end.requester = Requester(end, qp.requester[i], psn[i])
            end.responder = Responder(end, qp.responder[i], psn[not i])
        lives.append(pair)
        for i, end in enumerate(pair):
            self.ends[qp.hosts[i], qp.qpn[i]] = end
            when = begin_ns
            for wait, *post in posts[i]:
                when += wait
                self.clock.at(when, end.requester.post, *post)

    def leave(self, p):
        self.sent.append(p)
        self.to_tap[p.host].carry(p, 0, self.passes)

    def passes(self, p, damaged, copy):
        p.passed.append(self.clock.now)
        self.passed.append((self.clock.now, p, damaged, copy))
        self.from_tap[p.to_host].carry(p, damaged, self.arrives)

    def arrives(self, p, damaged, copy):
        if damaged:
            return
        end = self.ends[p.to_host, p.to_qpn]
        if p.asker not in (end.requester, end.peer.requester):
            return
        p.arrived.append(self.clock.now)
        end.receive(p)

    # ---- what the tap makes of it ----

    def show(self):
        """The records (stamp, bytes, packet), in their order."""
        tap, rng = self.plan.tap, self.rng
        count = len(self.passed)
        begin, end = int(tap.begin * count), int(tap.end * count)
        shown = []
        for place, (when, p, damaged, copy) in enumerate(self.passed):
            if not begin <= place <= end or rng.random() < tap.miss:
                p.missed += 1
                continue
            data = self.frame(p, damaged)
            p.shown.append(when)
            p.shown_damaged = getattr(p, "shown_damaged", 0) + bool(damaged)
            late = tap.late_ns * (tap.late_host is not None and (p.host != 0) == tap.late_host)
            for again in range(1 + bool(tap.mirror_ns)):
                stamp = when + late + int(again * tap.mirror_ns)
                shown.append((stamp // tap.round_ns * tap.round_ns, len(shown), data, p))
        shown.sort(key=lambda record: record[:2])
        return [(START_NS + stamp, data, p) for stamp, _, data, p in shown]

    @staticmethod
    def frame(p, damaged):
        """A damaged packet has one to three other bits in one byte, anywhere behind UDP."""
        data = bytearray(f.frame(p))
        if damaged:
            at = f.HEAD + hash_of(damaged, 1) % (len(data) - f.HEAD)
            data[at] ^= (1, 2, 0x80, 0x18, 0x51)[damaged % 5]
        return bytes(data)

    # ---- the truth ----

    def truth(self):
        hosts = [f.dotted(host.number) for host in self.hosts]
        return {"seed": self.seed, "faults": self.plan.faults, "hosts": hosts, "tap": vars(self.plan.tap),
                "ident": [host.ident for host in self.plan.hosts], "packets": len(self.records),
                "qps": [{"setups": len(lives),
                         "ends": [{"address": hosts[qp.hosts[i]], "qpn": qp.qpn[i]} for i in range(2)],
                         "asked_by": [self.direction([pair[i] for pair in lives]) for i in range(2)]}
                        for qp, lives in zip(self.plan.qps, self.lives)]}

    def direction(self, ends):
        """What became of all that one end asked, and of the answers to it."""
        askers = {id(end.requester) for end in ends}
        of_asker = [p for p in self.sent if id(p.asker) in askers]
        told = {}
        for kind in ("request", "response", "ack", "nak", "rnr"):
            told[kind] = self.fates([p for p in of_asker if p.kind == kind])
        requests = [p for p in of_asker if p.request]
        runs = [run for end in ends for run in end.requester.runs]
        resent = [p for p in requests if p.resend]
        told.update(
            resent=len(resent), resent_passed=sum(len(p.passed) for p in resent),
            resent_shown=sum(len(p.shown) for p in resent),
            runs={cause: sum(run.cause == cause for run in runs) for cause in ("nak", "implied", "timer", "rnr")},
            runs_in_vain=sum(run.in_vain > 0 for run in runs), clean_in_vain=self.clean(requests, of_asker),
            unseen=self.unseen(requests, ends),
            duplicates=sum(end.peer.responder.duplicates for end in ends),
            out_of_order=sum(end.peer.responder.out_of_order for end in ends),
            gave_up=[end.requester.gave_up for end in ends if end.requester.gave_up])
        return told

    @staticmethod
    def fates(packets):
        def late(arrivals):
            """How many came behind one that was sent later, or passed later."""
            least, count = float("inf"), 0
            for one in sorted(arrivals, reverse=True):
                count += one[1] > least
                least = min(least, one[1])
            return count

        return {
            "sent": len(packets), "lost_before": sum(p.lost_before for p in packets),
            "damaged_before": sum(p.damaged_before for p in packets), "missed": sum(p.missed for p in packets),
            "shown": sum(len(p.shown) for p in packets),
            "shown_damaged": sum(getattr(p, "shown_damaged", 0) for p in packets),
            "lost_behind": sum(p.lost_behind + p.damaged_behind for p in packets),
            "copies": sum(max(len(p.shown) - 1, 0) for p in packets),
            "late_before": late([(i, when) for i, p in enumerate(packets) for when in p.passed]),
            "late_behind": late([(went, came) for p in packets for went, came in zip(p.passed, p.arrived)])}

    @staticmethod
    def clean(requests, packets):
        """Resends of what had been taken, where nothing of that PSN was lost: neither a request nor the answer."""
        lost = {p.psn for p in packets
                if p.kind in ("request", "response") and (not p.arrived or p.lost_behind or p.damaged_before)}
        return sum(p.resend and p.taken and not lost.intersection(range(p.psn, p.psn + p.span)) for p in requests)

    @staticmethod
    def unseen(requests, ends):
        """PSNs that came to the responder before the tap had shown them, if ever."""
        first_shown, first_arrived = {}, {}
        for p in requests:
            for psn in range(p.psn, p.psn + p.span):
                for when in p.shown:
                    first_shown[id(p.asker), psn] = min(when, first_shown.get((id(p.asker), psn), when))
                for when in p.arrived:
                    first_arrived[id(p.asker), psn] = min(when, first_arrived.get((id(p.asker), psn), when))
        return sum(first_shown.get(key, float("inf")) > when for key, when in first_arrived.items())

    def tell(self, out):
        out.write(json.dumps(self.truth()) + "\n")
        places = {}
        for place, (_, _, p) in enumerate(self.records, 1):
            places.setdefault(id(p), []).append(place)
        lines = [(p.sent_ns, f"{f.dotted(p.host)} to {p.to_qpn:#x} {p.kind:8} op {p.opcode:#04x} psn {p.psn & 0xFFFFFF}"
                  f"{f'+{p.span}' if p.span > 1 else ''} msn {p.msn & 0xFFFFFF} id {p.ident}"
                  f"{f' RESEND by {p.run.cause}' if p.run else ''}{' TAKEN' if p.taken else ''}"
                  f"{' LOST before' if p.lost_before else ''}{' DAMAGED before' if p.damaged_before else ''}"
                  f"{' LOST behind' if p.lost_behind or p.damaged_behind else ''}"
                  f"{' missed' if p.missed else ''} frames {places.get(id(p), [])}"
                  f" passed {[round(when / 1000, 1) for when in p.passed]}"
                  f" arrived {[round(when / 1000, 1) for when in p.arrived]}") for p in self.sent]
        for lives in self.lives:
            for pair in lives:
                for end in pair:
                    who = f"  {f.dotted(end.host.number)} {end.qpn:#x}"
                    lines += [(run.at_ns, f"{who} goes back to {run.psn & 0xFFFFFF} by {run.cause}")
                              for run in end.requester.runs]
                    if end.requester.gave_up:
                        lines.append((end.requester.gave_up[2], f"{who} gives up {end.requester.gave_up[:2]}"))
        for when, line in sorted(lines, key=lambda one: one[0]):
            out.write(f"{when / 1000:12.1f} {line}\n")


def write(seed, folder):
    """-> the path of the capture, and the truth"""
    scene = Scene(seed)
    path = pathlib.Path(folder) / f"seed-{seed}.pcap"
    f.write_pcap(path, [record[:2] for record in scene.records])
    truth = scene.truth()
    path.with_suffix(".json").write_text(json.dumps(truth, indent=1), encoding="utf-8")
    return path, truth


if __name__ == "__main__":
    seeds.main(__doc__, lambda seed, out: Scene(seed).tell(out), write)
