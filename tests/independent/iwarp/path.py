# SPDX-License-Identifier: GPL-2.0-or-later
"""Hosts that number their packets, and links that lose, delay, copy and damage segments."""


class Host:
    """A port: one packet at a time, and the IP identification of each."""

    def __init__(self, number, plan, rng, clock):
        self.number, self.plan, self.rng, self.clock = number, plan, rng, clock
        self.free_ns, self.counters = 0, {}

    def slot(self, size):
        start = max(self.clock.now, self.free_ns)
        self.free_ns = start + size * 8 * 1_000_000_000 // self.plan.rate_bps + 1
        return self.free_ns

    def identify(self, connection, bare):
        """Linux counts for each socket, and gives none (0) to what has no socket's state."""
        mode = self.plan.ident
        if mode == "zero" or connection.habits.version == 6:
            return 0
        if mode == "random":
            return self.rng.randrange(65536)
        if mode == "socket" and bare:
            return 0
        key = connection if mode == "socket" else None
        step = 1 + (self.rng.randrange(1, 9) if mode == "host" and self.rng.random() < self.plan.ident_others else 0)
        last = self.counters.get(key)
        now = self.rng.randrange(65536) if last is None else (last + step) & 0xFFFF
        self.counters[key] = now
        return now


class Link:
    """One way between a host and the tap. Damage is "wrong" (TCP's checksum tells) or "silent" (it fits)."""

    def __init__(self, plan, rng, clock, before):
        self.plan, self.rng, self.clock, self.before = plan, rng, clock, before
        self.bad, self.ready = False, 0

    def loses(self, s):
        rng, plan = self.rng, self.plan
        if any(start <= self.clock.now < end for start, end in plan.dead_ns):
            return True
        if plan.burst_begin:
            self.bad = rng.random() < (1 - plan.burst_end if self.bad else plan.burst_begin)
            if self.bad and rng.random() < 0.8:
                return True
        return rng.random() < (plan.lose if s.payload else plan.lose_bare)

    def damages(self, s, damage):
        rng, plan = self.rng, self.plan
        if damage or rng.random() >= plan.damage:
            return damage
        kind = "silent" if s.payload and rng.random() < plan.silent else "wrong"
        if self.before:
            s.damaged_before += 1
        else:
            s.damaged_behind += 1
        return kind, rng.randrange(1 << 30)

    def carry(self, s, damage, deliver):
        """Calls deliver(segment, damage, is a copy) for what comes out."""
        if self.loses(s):
            if self.before:
                s.lost_before += 1
            else:
                s.lost_behind += 1
            return
        rng, plan = self.rng, self.plan
        damage = self.damages(s, damage)
        when = self.clock.now + plan.far_ns + int(rng.random() * plan.jitter_ns)
        if rng.random() < plan.late:
            when += int(plan.late_least_ns * (plan.late_most_ns / plan.late_least_ns) ** rng.random())
        else:
            when = self.ready = max(when, self.ready + 1)
        self.clock.at(when, deliver, s, damage, False)
        if rng.random() < plan.copy:
            s.copied += self.before
            self.clock.at(when + 1 + int(plan.copy_ns * rng.random()), deliver, s, damage, True)
