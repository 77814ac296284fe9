# SPDX-License-Identifier: GPL-2.0-or-later
"""The two halves of a QP: one asks, go-back-N, the other answers. PSNs count up from the first one, unwrapped."""

import bisect
from collections import deque

import rocev2 as f
from network import Packet

# What an RNR NAK's code asks to wait, in us (IBTA vol 1, table 45)
RNR_US = (655360, 10, 20, 30, 40, 60, 80, 120, 160, 240, 320, 480, 640, 960, 1280, 1920, 2560, 3840, 5120, 7680, 10240)
LADDER_MS = (8.6, 16.6, 33.7, 67.1, 100.6, 201.4)  # ConnectX's adaptive retransmission
REGULAR_MS = 536.9
OVERHEAD = 78
NO_CREDITS = 0x1F


class Message:
    def __init__(self, kind, start, length, mtu, place):
        self.kind, self.start, self.length, self.place = kind, start, length, place
        self.packets = 1 if kind == "atomic" else max(1, -(-length // mtu))
        self.end = start + self.packets
        self.mtu = mtu

    def bytes_of(self, index):
        return min(self.mtu, self.length - index * self.mtu)

    def answered(self):
        return self.kind in ("read", "atomic")

    def opcode(self, index, first, middle, last, only):
        if self.packets == 1:
            return only
        return first if index == 0 else last if index == self.packets - 1 else middle


class Run:
    """What a requester sends from where it went back to, until it goes back again."""

    def __init__(self, cause, psn, at_ns):
        self.cause, self.psn, self.at_ns = cause, psn, at_ns
        self.passed = self.in_vain = 0
        self.begun = False


class Requester:
    def __init__(self, end, habits, first_psn):
        self.end, self.habits, self.clock, self.rng = end, habits, end.clock, end.rng
        self.messages, self.starts = [], []
        self.posted = self.una = self.nxt = self.high = first_psn
        self.deadline = None
        self.tries = self.rnr_tries = 0
        self.pending = self.waiting_rnr = False
        self.target = None     # where it goes back to once it has reacted
        self.also = None       # what a NAK asked for meanwhile
        self.implied_at = None
        self.run, self.runs = None, []
        self.gave_up = None    # (reason, psn, time)
        self.sent = []

    # ---- what it sends ----

    def post(self, kind, length, place):
        message = Message(kind, self.posted, length, self.end.mtu, place)
        self.messages.append(message)
        self.starts.append(message.start)
        self.posted = message.end
        self.pump()

    def message_at(self, psn):
        return self.messages[bisect.bisect_right(self.starts, psn) - 1]

    def may_send(self):
        if self.end.dead or self.waiting_rnr or self.nxt >= self.posted:
            return False
        if self.target is not None and self.habits.stops_to_react:
            return False
        if self.nxt < self.high:
            return True
        if self.nxt - self.una >= self.habits.window:
            return False
        if not self.message_at(self.nxt).answered():
            return True
        under_way = sum(1 for m in self.messages[bisect.bisect_right(self.starts, self.una) - 1:]
                        if m.start < self.nxt and m.end > self.una and m.answered())
        return under_way < self.habits.reads

    def pump(self):
        if self.pending or not self.may_send():
            return
        self.pending = True
        message = self.message_at(self.nxt)
        size = OVERHEAD + (0 if message.answered() else message.bytes_of(self.nxt - message.start))
        self.clock.at(self.end.host.slot(size) + int(self.rng.random() * self.habits.gap_ns), self.emit)

    def emit(self):
        self.pending = False
        if not self.may_send():
            return
        psn, message = self.nxt, self.message_at(self.nxt)
        index = psn - message.start
        p = self.end.packet(asker=self, request=True, kind="request", psn=psn, resend=psn < self.high,
                            run=self.run if psn < self.high else None)
        if p.run:
            p.run.begun = True
        if message.kind == "read":
            p.opcode, p.span = f.READ, message.end - psn
            done = index * message.mtu
            p.reth = message.place + done, self.end.key, message.length - done
        elif message.kind == "atomic":
            p.opcode = f.FETCH_ADD
            p.atomic = message.place, self.end.key, 1, 0
        else:
            first = (f.SEND_FIRST, f.SEND_MIDDLE, f.SEND_LAST, f.SEND_ONLY) if message.kind == "send" else (
                f.WRITE_FIRST, f.WRITE_MIDDLE, f.WRITE_LAST, f.WRITE_ONLY)
            p.opcode = message.opcode(index, *first)
            p.place, p.length = message.place + index * message.mtu, message.bytes_of(index)
            p.reth = message.place, self.end.key, message.length
            p.asks = index == message.packets - 1 or bool(
                self.habits.ask_every and psn % self.habits.ask_every == 0)
        self.nxt = psn + p.span
        self.high = max(self.high, self.nxt)
        p.taken = self.end.peer.responder.expected >= self.nxt
        if p.run and p.taken:
            p.run.in_vain += 1
        self.sent.append(p)
        if self.deadline is None:
            self.arm()
        self.end.send(p)
        self.pump()

    # ---- what it goes back for ----

    def arm(self):
        """Starts the timer anew, or stops it where nothing is outstanding, or an answer is being reacted to."""
        if self.una >= self.high or self.waiting_rnr or self.target is not None or self.end.dead:
            self.deadline = None
            return
        self.deadline = self.clock.now + self.interval()
        self.clock.at(self.deadline, self.expire, self.deadline)

    def interval(self):
        if self.habits.timer == "ladder":
            return int((LADDER_MS + (REGULAR_MS,) * 99)[self.tries] * 1e6)
        return int(self.habits.timeout_ns)

    def expire(self, deadline):
        if deadline != self.deadline or self.end.dead:
            return
        self.tries += 1
        spent = self.tries - (len(LADDER_MS) if self.habits.timer == "ladder" else 0)
        if spent > self.habits.retries:
            self.give_up("retry")
            return
        self.deadline = None
        self.go_back("timer", self.una)

    def give_up(self, reason):
        self.gave_up = reason, self.una, self.clock.now
        self.end.dead = True

    def go_back(self, cause, psn):
        if self.end.dead:
            return
        psn = max(psn, self.una)
        if psn < self.nxt:
            message = self.message_at(psn)
            if message.kind == "read" and self.habits.read_from_start:
                psn = message.start
            self.run = Run(cause, psn, self.clock.now)
            self.runs.append(self.run)
            self.nxt = psn
        self.arm()
        self.pump()

    def react(self, cause, psn):
        """Goes back to psn in a while; what is asked for meanwhile is part of it."""
        if psn >= self.nxt:
            if psn == self.nxt and cause == "nak" and self.run and not self.run.begun:
                self.run.cause = "nak" # which the first packet of the run obeys, too
            return
        if self.target is not None and self.target <= psn:
            self.also = psn if cause == "nak" else self.also
            return
        self.target, self.also, self.deadline = psn, None, None
        self.clock.at(self.clock.now + self.habits.react_ns * (0.5 + self.rng.random()), self.reacted, cause, psn)

    def reacted(self, cause, psn):
        if self.target != psn:
            return
        self.target = None
        if not self.waiting_rnr:
            self.go_back("nak" if self.also is not None and self.also <= self.una else cause, psn)

    # ---- what it is told ----

    def owed(self, upto):
        """The first PSN below upto of which the data is missing; upto where none is."""
        at = max(bisect.bisect_right(self.starts, self.una) - 1, 0)
        for message in self.messages[at:]:
            if message.start >= upto:
                break
            if message.answered() and message.end > self.una:
                return min(max(self.una, message.start), upto)
        return upto

    def progress(self, upto):
        if upto <= self.una:
            return
        self.una = upto
        self.tries = self.rnr_tries = 0
        self.implied_at = None
        if self.habits.skips:
            self.nxt = max(self.nxt, self.una)
        self.arm()

    def imply(self, psn, cause="implied"):
        if self.habits.implied and self.implied_at != psn:
            self.implied_at = psn
            self.react(cause, psn)

    def hear(self, p):
        if self.end.dead or p.psn >= self.high:
            return
        if p.kind == "response":
            owed = self.owed(p.psn)
            if owed == p.psn and p.psn >= self.una:
                self.progress(p.psn + 1)
            elif owed < p.psn:
                self.progress(owed)
                self.imply(owed)
        elif p.kind == "ack":
            owed = self.owed(p.psn + 1)
            self.progress(owed)
            if owed < p.psn + 1:
                self.imply(owed)
        elif not self.waiting_rnr and p.psn >= self.una:
            self.refused(p)
        self.pump()

    def refused(self, p):
        owed = self.owed(p.psn)
        self.progress(owed)
        if owed < p.psn:
            self.imply(owed, "nak" if p.kind == "nak" else "implied")
        elif p.kind == "nak":
            self.react("nak", p.psn)
        elif p.psn < self.nxt:
            self.rnr_tries += 1
            if self.habits.rnr_retries < 7 and self.rnr_tries > self.habits.rnr_retries:
                self.give_up("rnr")
                return
            self.waiting_rnr, self.target, self.deadline = True, None, None
            wait_ns = RNR_US[p.syndrome & 31] * 1000 * (1.01 + self.rng.random() / 2)
            self.clock.at(self.clock.now + wait_ns, self.waited, p.psn)

    def waited(self, psn):
        self.waiting_rnr = False
        self.go_back("rnr", psn)


class Responder:
    def __init__(self, end, habits, first_psn):
        self.end, self.habits, self.clock, self.rng = end, habits, end.clock, end.rng
        self.expected, self.msn = first_psn, habits.first_msn
        self.refusing = False
        self.queue, self.pending = deque(), False
        self.ready_ns, self.saved = {}, {}
        self.duplicates = self.out_of_order = 0

    def take(self, p):
        if self.end.dead:
            return
        if p.psn > self.expected:
            self.out_of_order += 1
            if not self.refusing:
                self.refusing = True
                self.answer("nak", psn=self.expected, syndrome=0x60)
        elif p.psn < self.expected:
            self.duplicates += 1
            self.repeat(p)
        elif self.is_ready(p):
            self.refusing = False
            self.execute(p)

    def is_ready(self, p):
        if p.opcode not in (f.SEND_FIRST, f.SEND_ONLY):
            return True
        if p.psn not in self.ready_ns:
            short = self.rng.random() < self.habits.starved
            self.ready_ns[p.psn] = self.clock.now + (self.habits.starved_ns * self.rng.random() if short else 0)
        if self.ready_ns[p.psn] <= self.clock.now:
            return True
        self.refusing = True
        self.answer("rnr", psn=p.psn, syndrome=0x20 | self.habits.rnr_code)
        return False

    def execute(self, p):
        self.expected += p.span
        if p.opcode == f.READ:
            self.msn += 1
            self.read(p)
        elif p.opcode in f.ATOMICS:
            self.msn += 1
            word = p.atomic[0]
            self.saved[p.psn] = self.end.host.memory.setdefault(word, word * 7)
            self.end.host.memory[word] += 1
            self.atomic(p)
        else:
            self.msn += p.opcode in (f.SEND_LAST, f.SEND_ONLY, f.WRITE_LAST, f.WRITE_ONLY)
            if p.asks:
                self.acknowledge(self.habits.ack_delay_ns * self.rng.random())

    def repeat(self, p):
        if p.opcode == f.READ:
            self.read(p)
        elif p.opcode in f.ATOMICS:
            self.atomic(p)
        elif p.asks or self.habits.acks_all_duplicates:
            self.acknowledge(0)

    # ---- answers, in the order of what they answer ----

    def acknowledge(self, delay_ns):
        if self.queue and self.queue[-1][1]["kind"] == "ack":
            self.queue[-1][1].update(psn=self.expected - 1, msn=self.msn)
            return
        self.answer("ack", delay_ns, psn=self.expected - 1, syndrome=NO_CREDITS)

    def atomic(self, p):
        self.answer("response", psn=p.psn, syndrome=NO_CREDITS, opcode=f.ATOMIC_ANSWER, atomic=self.saved[p.psn])

    def read(self, p):
        message = self.end.peer.requester.message_at(p.psn)
        for psn in range(p.psn, p.psn + p.span):
            one, last = p.span == 1, psn == p.psn + p.span - 1
            opcode = (f.RESPONSE_ONLY if one else f.RESPONSE_FIRST if psn == p.psn else
                      f.RESPONSE_LAST if last else f.RESPONSE_MIDDLE)
            index = psn - message.start
            self.answer("response", psn=psn, syndrome=NO_CREDITS, opcode=opcode,
                        place=message.place + index * message.mtu, length=message.bytes_of(index))

    def answer(self, kind, delay_ns=0, **given):
        given.setdefault("opcode", f.ACK)
        given.update(kind=kind, msn=self.msn)
        turn_ns = self.habits.turn_ns * (0.5 + self.rng.random())
        self.queue.append((self.clock.now + turn_ns + delay_ns, given))
        self.pump()

    def pump(self):
        if self.pending or not self.queue:
            return
        self.pending = True
        self.clock.at(max(self.queue[0][0], self.clock.now), self.reserve)

    def reserve(self):
        self.clock.at(self.end.host.slot(OVERHEAD + self.queue[0][1].get("length", 0)), self.emit)

    def emit(self):
        self.pending = False
        if self.end.dead:
            return
        _, given = self.queue.popleft()
        self.end.send(self.end.packet(asker=self.end.peer.requester, **given))
        self.pump()


class End:
    """One end of a QP."""

    def __init__(self, host, clock, rng, qpn, mtu, port):
        self.host, self.clock, self.rng, self.qpn, self.mtu, self.port = host, clock, rng, qpn, mtu, port
        self.key = 0x1000 + qpn
        self.dead = False
        self.peer = self.requester = self.responder = self.out = None

    def packet(self, **given):
        return Packet(host=self.host.number, to_host=self.peer.host.number, to_qpn=self.peer.qpn, port=self.port,
                      **given)

    def send(self, p):
        p.ident = self.host.identify(self.qpn)
        p.sent_ns = self.clock.now
        self.out(p)

    def receive(self, p):
        if p.request:
            self.responder.take(p)
        else:
            self.requester.hear(p)

