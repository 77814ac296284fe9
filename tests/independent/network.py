# SPDX-License-Identifier: GPL-2.0-or-later
"""Packets with their fates, links that lose, delay, copy and damage, and hosts that number packets."""


class Packet:
    """One transmission. Copies that links make share it, so its fates are those of all of them."""

    # what it is
    opcode, asks, syndrome, msn, reth, atomic, place, length = 0, False, 0, 0, None, None, 0, 0
    host, to_host, to_qpn, port, ident, psn, span = 0, 0, 0, 0, 0, 0, 1
    asker = None      # the requester that sent it or that it answers
    request = False
    kind = "request"  # request, response (READ, ATOMIC), ack, nak, rnr
    # why it was sent
    resend, run, taken, sent_ns = False, None, False, 0
    # what became of it
    lost_before = lost_behind = damaged_before = damaged_behind = 0
    copied = missed = 0

    def __init__(self, **given):
        self.__dict__.update(given)
        self.passed, self.shown, self.arrived = [], [], []  # times


class Host:
    """A NIC's port: one packet at a time, and the IP identification of each."""

    def __init__(self, number, plan, rng, clock):
        self.number, self.plan, self.rng, self.clock = number, plan, rng, clock
        self.free_ns = 0
        self.counters = {}
        self.memory = {}

    def slot(self, size):
        """When the next packet may leave."""
        start = max(self.clock.now, self.free_ns)
        self.free_ns = start + size * 8 * 1_000_000_000 // self.plan.rate_bps + 1
        return self.free_ns

    def identify(self, qpn):
        mode = self.plan.ident
        if mode == "zero":
            return 0
        if mode == "random":
            return self.rng.randrange(65536)
        key = qpn if mode == "qp" else None
        last = self.counters.get(key)
        step = 1
        if mode == "host" and self.rng.random() < self.plan.ident_others:
            step += self.rng.randrange(1, 9)
        now = self.rng.randrange(65536) if last is None else (last + step) & 0xFFFF
        self.counters[key] = now
        return now


class Link:
    """One way between a host and the tap. Faults are the fields of its plan."""

    def __init__(self, plan, rng, clock, before):
        self.plan, self.rng, self.clock, self.before = plan, rng, clock, before
        self.bad = False
        self.ready = [0] * len(plan.paths_ns)
        self.flowlets = {}

    def loses(self, p):
        rng, plan = self.rng, self.plan
        if any(start <= self.clock.now < end for start, end in plan.dead_ns):
            return True
        if plan.burst_begin:
            self.bad = rng.random() < (1 - plan.burst_end if self.bad else plan.burst_begin)
            if self.bad and rng.random() < 0.8:
                return True
        chance = {"ack": plan.lose_ack, "nak": plan.lose_nak, "rnr": plan.lose_nak}.get(p.kind, plan.lose)
        return rng.random() < chance

    def path(self, p):
        count = len(self.ready)
        if count == 1:
            return 0
        if self.plan.spray == "packet":
            return self.rng.randrange(count)
        if self.plan.spray == "flow":
            return hash_of(p.host, p.to_host, p.port) % count
        key = p.host, p.to_qpn
        last_ns, path = self.flowlets.get(key, (-1e18, 0))
        if self.clock.now - last_ns > self.plan.flowlet_ns:
            path = self.rng.randrange(count)
        self.flowlets[key] = self.clock.now, path
        return path

    def carry(self, p, damaged, deliver):
        """Calls deliver(packet, damaged, copy) for what comes out."""
        if self.loses(p):
            if self.before:
                p.lost_before += 1
            else:
                p.lost_behind += 1
            return
        rng, plan = self.rng, self.plan
        if rng.random() < plan.damage and not damaged:
            damaged = rng.randrange(1, 1 << 30)
            if self.before:
                p.damaged_before += 1
            else:
                p.damaged_behind += 1
        path = self.path(p)
        when = self.clock.now + plan.paths_ns[path] + int(rng.random() * plan.jitter_ns)
        if rng.random() < plan.late:
            when += int(plan.late_least_ns * (plan.late_most_ns / plan.late_least_ns) ** rng.random())
        else:
            when = self.ready[path] = max(when, self.ready[path] + 1)
        self.clock.at(when, deliver, p, damaged, False)
        if rng.random() < plan.copy:
            p.copied += self.before
            self.clock.at(when + 1 + int(plan.copy_ns * rng.random()), deliver, p, damaged, True)


def hash_of(*values):
    total = 17
    for value in values:
        total = (total * 31 + value) * 2654435761 & 0xFFFFFFFF
    return total >> 7
