# SPDX-License-Identifier: GPL-2.0-or-later
"""One end of a TCP connection: what it sends, when it sends it again, what it acknowledges, how it closes.

A sender in the manner of RFC 5681, 6675 and 9293: a window that grows, fast retransmission, a timer that goes back to
the first byte that was not acknowledged, probes of a closed window. Sequence numbers are unbounded.
"""

import bisect

import wire as w


class Segment:
    """One transmission. Copies that links make share it, so its fates are those of all of them."""

    host = to_host = version = ident = seq = ack = flags = window = mss = 0
    ports, payload, sacks = (0, 0), b"", ()
    sack_ok, scale, stamp, echo = False, None, None, 0
    why = "new"        # or ack, fast, timer, probe, keepalive, tail, syn, reset
    repeats = False    # some of its bytes were sent before
    # what became of it
    lost_before = lost_behind = damaged_before = damaged_behind = missed = copied = 0

    def __init__(self, **given):
        self.__dict__.update(given)
        self.passed, self.shown, self.arrived = [], [], []  # times; numbers of frames; times

    def end(self):
        return self.seq + len(self.payload)


class End:
    """app: opened(), received(up to which byte), closed(); out(segment): takes what is sent."""

    def __init__(self, host, clock, rng, habits, first, ports):
        self.host, self.clock, self.rng, self.habits, self.ports = host, clock, rng, habits, ports
        self.state, self.sends_reset = "new", habits.resets
        self.una = self.nxt = self.high = first
        self.begin, self.data, self.cuts = first + 1, bytearray(), []
        self.closing, self.retries, self.backoff = False, 0, 1
        self.window = 10 * 1460  # congestion's
        self.peer_window, self.peer_mss, self.peer_scale = 65535, 536, None
        self.sacked, self.dupes, self.recovery, self.resent_to = [], 0, None, 0
        self.deadline = None
        # what it received
        self.due, self.read, self.early, self.inbox = None, None, [], bytearray()
        self.peer_begin, self.peer_fin = None, None
        self.stalled, self.unacked, self.ack_at, self.told_window = False, 0, None, None
        self.echo, self.latest_early = 0, None
        self.quick = habits.quick
        self.last_heard = self.last_sent = self.kept = 0

    # ---- sending ----

    def transmit(self, seq, payload=b"", flags=w.ACK, why="ack", **given):
        habits = self.habits
        s = Segment(host=self.host.number, to_host=self.peer.host.number, version=habits.version, ports=self.ports,
                    seq=seq, payload=bytes(payload), flags=flags, why=why, scale=habits.scale, **given)
        if flags & w.ACK:
            s.ack = self.due or 0
            s.sacks = self.blocks() if habits.sack and not flags & w.SYN else ()
        s.window = 0 if flags & w.RST else self.free_window()
        if habits.stamps and not flags & w.RST:
            s.stamp, s.echo = self.clock.now // 1_000_000 + habits.stamp_from, self.echo
        s.repeats = bool(payload) and seq < self.high
        s.ident = self.host.identify(self, bool(flags & (w.SYN | w.RST)))
        s.conversation, s.side = self.conversation, self.side
        self.unacked, self.ack_at = 0, None
        self.last_sent = self.clock.now
        self.high = max(self.high, seq + len(payload) + bool(flags & (w.SYN | w.FIN)))
        self.out(s)
        return s

    def connect(self):
        self.state = "opening"
        self.send_syn()

    def send_syn(self):
        habits = self.habits
        flags = w.SYN | (w.ACK if self.due is not None else 0)
        self.transmit(self.una, flags=flags, why="syn", mss=habits.mss, sack_ok=habits.sack)
        self.nxt = self.una + 1
        self.set_timer()

    def write(self, data):
        self.cuts.append(self.begin + len(self.data))
        self.data += data
        self.pump()

    def finish(self):
        if not self.closing:
            self.closing = True
            self.pump()

    def reset(self):
        if self.state != "dead":
            self.state = "dead"
            self.transmit(self.high, flags=w.RST | (w.ACK if self.rng.random() < 0.7 else 0), why="reset")
            self.app.closed()

    def end_of_data(self):
        return self.begin + len(self.data)

    def piece(self, seq, end):
        return self.data[seq - self.begin:end - self.begin]

    def mss(self):
        return min(self.habits.mss, self.peer_mss) - 12 * self.habits.stamps

    def chunk(self, seq):
        """Where the segment that begins here may end."""
        limit, mode = seq + self.mss(), self.habits.cut
        if mode == "stream":
            return limit
        at = bisect.bisect_right(self.cuts, seq)
        ends = self.cuts[at:at + 64] + ([self.end_of_data()] if at + 64 > len(self.cuts) else [])
        if mode == "one" and ends:
            return min(limit, ends[0])
        whole = [end for end in ends if end <= limit]
        return whole[-1] if whole else limit

    def pump(self):
        if self.state != "open":
            return
        while True:
            for begin, end in self.sacked:
                if begin <= self.nxt < end:
                    self.nxt = end
            end = self.end_of_data()
            if self.nxt >= end:
                break
            room = self.una + min(self.window, self.peer_window) - self.nxt
            want = min(self.chunk(self.nxt), end)
            want = min([want] + [begin for begin, _ in self.sacked if begin > self.nxt])
            if self.nxt + room < want and (self.nxt > self.una or room <= 0 or self.habits.waits_for_room):
                break
            self.send_piece(min(want, self.nxt + room), "timer" if self.nxt < self.high else "new")
        if self.closing and self.nxt == self.end_of_data():
            self.transmit(self.nxt, flags=w.FIN | w.ACK, why="fin")
            self.nxt += 1
        self.set_timer()

    def send_piece(self, end, why):
        last = end == self.end_of_data()
        fin = self.closing and last and self.habits.fin_with_data
        self.transmit(self.nxt, self.piece(self.nxt, end), w.ACK | w.PSH * last | w.FIN * fin, why)
        self.nxt = end + fin

    def resend(self, seq, why):
        """One segment from here on, not always cut as before."""
        end = self.chunk(seq) if self.rng.random() > self.habits.recuts else seq + self.rng.randrange(1, self.mss() + 1)
        holes = [begin for begin, _ in self.sacked if begin > seq]
        end = min([end, self.end_of_data(), max(self.nxt, seq + 1)] + holes)
        if seq >= self.end_of_data():
            if self.closing and self.nxt > self.end_of_data():
                self.transmit(self.end_of_data(), flags=w.FIN | w.ACK, why=why)
                self.resent_to = seq + 1
            return
        fin = self.closing and end == self.end_of_data() and self.nxt > end
        self.transmit(seq, self.piece(seq, end), w.ACK | w.FIN * fin, why)
        self.resent_to = max(self.resent_to, end)

    def resend_hole(self):
        seq = max(self.una, self.resent_to)
        for begin, end in self.sacked:
            if begin <= seq < end:
                seq = end
        if seq >= self.nxt:
            return
        if seq == self.una or any(begin > seq for begin, _ in self.sacked):
            self.resend(seq, "fast")

    # ---- timers ----

    def set_timer(self):
        """For what is outstanding, or a closed window that keeps data waiting."""
        waits = self.nxt > self.una or self.nxt < self.end_of_data() + self.closing
        self.deadline = self.clock.now + self.habits.timer_ns * self.backoff if waits else None
        if self.deadline is not None:
            self.clock.at(self.deadline, self.expire, self.deadline)
        if self.nxt > self.una and self.habits.tail_ns and self.recovery is None and self.backoff == 1:
            self.clock.at(self.clock.now + self.habits.tail_ns, self.probe_tail, self.una, self.high)

    def probe_tail(self, una, high):
        if self.state == "open" and una == self.una and high == self.high and self.nxt > una and self.backoff == 1:
            at = bisect.bisect_left(self.cuts, min(self.nxt, self.end_of_data()))
            seq = max(self.una, self.cuts[at - 1] if at else self.begin, min(self.nxt, self.end_of_data()) - self.mss())
            self.resend(seq, "tail")

    def expire(self, deadline):
        if deadline != self.deadline or self.state in ("dead", "new"):
            return
        self.retries += 1
        self.backoff = min(self.backoff * 2, 64)
        if self.retries > self.habits.retries:
            if self.rng.random() < 0.5:
                self.reset()
            self.state, self.deadline = "dead", None
            self.app.closed()
            return
        if self.una < self.begin:
            self.send_syn()
            return
        if self.nxt == self.una and self.peer_window == 0:
            self.probe_window()
        else:
            self.nxt, self.window, self.dupes, self.recovery = self.una, self.mss(), 0, None
            if self.rng.random() < 0.2:
                self.sacked = []  # the receiver may have gone back on them
            self.pump()
        self.set_timer()

    def probe_window(self):
        if self.habits.probe == "byte":
            self.transmit(self.nxt, self.piece(self.nxt, self.nxt + 1), why="probe")
        else:
            self.transmit(self.una - 1, b"", why="probe")

    def keep_alive(self):
        if self.state != "open":
            return
        if self.clock.now - max(self.last_heard, self.last_sent) >= self.habits.keep_ns * 0.9 and self.nxt == self.una:
            self.transmit(self.nxt - 1, b"\0" * self.habits.keep_bytes if self.nxt > self.begin else b"",
                          why="keepalive")
        self.kept += 1
        if self.kept < 12:
            self.clock.at(self.clock.now + self.habits.keep_ns, self.keep_alive)

    # ---- receiving ----

    def receive(self, s, payload):
        if self.state in ("dead", "new") and not s.flags & w.SYN:
            if self.sends_reset and not s.flags & w.RST:
                self.transmit(s.ack, flags=w.RST, why="reset")
            return
        if s.flags & w.RST:
            if self.due is not None and self.state != "dead" and self.due <= s.seq:
                self.state = "dead"
                self.app.closed()
            return
        self.last_heard = self.clock.now
        if s.flags & w.SYN:
            self.take_syn(s)
        if self.due is None:
            return
        if s.stamp is not None:
            self.echo = s.stamp
        if s.flags & w.ACK:
            self.take_ack(s, payload)
        if self.state == "dead":
            return
        self.take_data(s, payload)

    def take_syn(self, s):
        again = self.due is not None
        self.peer_mss, self.peer_scale = s.mss, s.scale
        if not again:
            self.due = self.read = self.peer_begin = s.seq + 1
        if self.state == "new":
            self.state = "opening"
            self.send_syn()
        elif again and self.una >= self.begin:
            self.transmit(self.high)

    def take_ack(self, s, payload):
        opened = s.window > self.peer_window
        same_window = s.window == self.peer_window
        if s.ack > self.high or s.ack < self.una:
            return
        self.peer_window = s.window
        for begin, end in s.sacks:
            if begin >= s.ack:
                self.sacked.append((begin, end))
        if s.ack > self.una:
            self.advance(s.ack)
        elif not payload and not s.flags & (w.SYN | w.FIN) and same_window and self.nxt > self.una:
            self.dupes += 1
            self.window += self.mss() if self.recovery else 0
            if self.dupes >= self.habits.dupes and self.recovery is None and self.backoff == 1:
                self.recovery, self.resent_to = self.high, self.una
                self.window = max(self.window // 2, 2 * self.mss())
                self.resend_hole()
            elif self.recovery and self.habits.sack:
                self.resend_hole()
        if self.state == "opening" and self.una >= self.begin:
            self.state = "open"
            if s.flags & w.SYN:
                self.transmit(self.high)
            if self.habits.keep_ns:
                self.clock.at(self.clock.now + self.habits.keep_ns, self.keep_alive)
            self.app.opened()
        if opened:
            self.backoff = 1
        self.pump()

    def advance(self, ack):
        grew = ack - self.una
        self.una, self.nxt = ack, max(self.nxt, ack)
        self.sacked = [(begin, end) for begin, end in self.sacked if end > ack]
        self.dupes, self.retries, self.backoff = 0, 0, 1
        if self.recovery is not None and ack >= self.recovery:
            self.recovery = None
        elif self.recovery is not None:
            self.resend_hole()
        self.window = min(self.window + min(grew, self.mss()), self.habits.window_most)
        self.deadline = None
        self.set_timer()

    def free_window(self):
        if self.due is None:
            return min(self.habits.room, 65535)
        free = max(0, self.habits.room - (self.due - self.read))
        return free >> (self.habits.scale or 0) << (self.habits.scale or 0)

    def take_data(self, s, payload):
        begin, end = s.seq, s.seq + len(payload)
        fin = bool(s.flags & w.FIN)
        if fin and self.peer_fin is None:
            self.peer_fin = end
        if not payload and not fin:
            if begin == self.due - 1 and not s.flags & w.SYN:
                self.transmit(self.high)  # somebody asks whether it is alive
            return
        edge = self.due + max(self.free_window(), 0)
        if begin > self.due:
            if begin < edge:
                self.early.append((begin, payload[:edge - begin]))
                self.latest_early = begin
            self.transmit(self.high)
            return
        if end <= self.due and not (fin and self.due == end):
            self.transmit(self.high)  # all of it was there before
            return
        room = edge - self.due
        taken = payload[self.due - begin:][:room]
        self.inbox += taken
        self.due += len(taken)
        self.join_early()
        self.take_fin()
        self.hand_up()
        self.acknowledge(len(taken) < end - max(begin, self.due - len(taken)) or fin)

    def join_early(self):
        moved = True
        while moved:
            moved = False
            for begin, data in self.early:
                if begin <= self.due < begin + len(data):
                    self.inbox += data[self.due - begin:]
                    self.due = begin + len(data)
                    moved = True
        self.early = [(begin, data) for begin, data in self.early if begin + len(data) > self.due]

    def take_fin(self):
        if self.peer_fin is not None and self.due == self.peer_fin:
            self.due += 1

    def hand_up(self):
        if self.stalled:
            return
        if self.habits.stalls and self.rng.random() < self.habits.stalls:
            self.stalled = True
            self.clock.at(self.clock.now + self.habits.stall_ns, self.wake)
            return
        self.read = self.due
        self.app.received(self.due)

    def wake(self):
        before = self.free_window()
        self.stalled, self.read = False, self.due
        if self.state != "open":
            return
        self.app.received(self.due)
        if before < 2 * self.mss() <= self.free_window() and self.state == "open":
            self.transmit(self.high)

    def blocks(self):
        """What is behind gaps, the latest first."""
        merged = []
        for begin, data in sorted(self.early, key=lambda one: one[0]):
            if merged and begin <= merged[-1][1]:
                merged[-1][1] = max(merged[-1][1], begin + len(data))
            else:
                merged.append([begin, begin + len(data)])
        merged.sort(key=lambda block: not block[0] <= (self.latest_early or 0) < block[1])
        return tuple(map(tuple, merged))

    def acknowledge(self, now):
        self.unacked += 1
        if self.state == "dead":
            return
        if now or self.early or self.unacked >= self.habits.ack_every or self.quick > 0:
            self.quick -= 1
            self.transmit(self.high)
        elif self.ack_at is None:
            self.ack_at = self.clock.now + self.habits.delay_ns
            self.clock.at(self.ack_at, self.acknowledge_late, self.ack_at)

    def acknowledge_late(self, when):
        if self.ack_at == when and self.state != "dead":
            self.transmit(self.high)
