# SPDX-License-Identifier: GPL-2.0-or-later
"""What a seed is made of: hosts, connections with the habits of their ends, links with their faults, and the tap."""

from types import SimpleNamespace as Plan

import wire as w

FAULTS = ("lose", "lose_bare", "burst", "late", "copy", "damage", "dead")


def spread(rng, least, most):
    """Small values as often as large ones."""
    return least * (most / least) ** rng.random()


def chance(rng, probability, value, other=0):
    return value if rng.random() < probability else other


def draw_link(rng, faults, far_ns, before, perfect):
    has = {fault: fault in faults and not perfect and rng.random() < 0.6 for fault in FAULTS}
    dead = []
    if has["dead"]:
        start = spread(rng, 1e5, 3e7)
        dead = [(start, start + (spread(rng, 1e5, 3e9) if rng.random() < 0.7 else 1e18))]
    return Plan(
        far_ns=0 if perfect else int(far_ns), jitter_ns=1 if perfect else spread(rng, 1, 3000), dead_ns=dead,
        lose=chance(rng, has["lose"], spread(rng, 0.002, 0.2)), before=before,
        lose_bare=chance(rng, has["lose_bare"], spread(rng, 0.02, 0.7), chance(rng, has["lose"], 0.02)),
        burst_begin=chance(rng, has["burst"], spread(rng, 0.002, 0.05)), burst_end=spread(rng, 0.05, 0.7),
        late=chance(rng, has["late"], spread(rng, 0.003, 0.2)), late_least_ns=3000,
        late_most_ns=rng.choice([60_000, 400_000, 3_000_000, 300_000_000]),
        copy=chance(rng, has["copy"], spread(rng, 0.004, 0.3)), copy_ns=spread(rng, 100, 2e6),
        damage=chance(rng, has["damage"], spread(rng, 0.003, 0.15)), silent=rng.choice([0, 0, 0.2, 1]))


def draw_tcp(rng, version, mss, stamps, scaled):
    return Plan(
        version=version, mss=mss, stamps=stamps, stamp_from=rng.choice([1, (1 << 32) - 3, rng.randrange(1 << 32)]),
        scale=rng.randrange(0, 9) if scaled else None, sack=rng.random() < 0.7, dupes=rng.choice([3, 3, 3, 2]),
        cut=rng.choice(["one", "one", "several", "several", "stream"]), recuts=rng.choice([0, 0, 0.2, 1]),
        waits_for_room=rng.random() < 0.7, fin_with_data=rng.random() < 0.4, resets=rng.random() < 0.7,
        timer_ns=spread(rng, 2e6, 3e8), tail_ns=chance(rng, 0.4, spread(rng, 1e6, 2e7)),
        retries=rng.randrange(2, 9),
        window_most=int(spread(rng, 4000, 400_000)), room=int(spread(rng, 3000, 500_000)),
        probe=rng.choice(["byte", "old"]), keep_ns=chance(rng, 0.15, spread(rng, 3e6, 3e8)),
        keep_bytes=rng.randrange(2),
        ack_every=rng.choice([1, 2, 2, 2, 8]), delay_ns=spread(rng, 1e5, 4e7), quick=rng.choice([0, 0, 4, 1000]),
        stalls=chance(rng, 0.15, spread(rng, 0.01, 0.3)), stall_ns=spread(rng, 1e6, 1e9))


REASONS = {"write": [(1, 1, 0), (1, 1, 1), (1, 1, 2)], "send": [(1, 2, 2), (1, 2, 5)],
           "read": [(0, 1, 0), (0, 1, 1), (0, 1, 2)], "atomic": [(0, 1, 0), (0, 1, 2)], "immediate": [(1, 2, 2)]}


def draw_posts(rng):
    kinds = rng.choice([["write"], ["send"], ["read"], ["write", "send"], ["write", "read"], ["atomic", "send"],
                        ["write", "send", "read", "atomic", "immediate"], ["send", "read", "write"]])
    count, most = int(spread(rng, 1, 60)), rng.choice([40, 900, 4000, 4000, 20_000])
    pause_ns, posts, same_sink = spread(rng, 1e3, 5e6), [], rng.random() < 0.3
    for number in range(count):
        kind = rng.choice(kinds)
        p = Plan(kind=kind, wait_ns=pause_ns * rng.random() if number % rng.randrange(1, 9) == 0 else 0, bad=None,
                 length=rng.choice([0, 1, rng.randrange(1, 64), rng.randrange(1, most)]), stag=0, opcode=None,
                 offset=rng.choice([0, number * 0x10000, (1 << 64) - 0x20000]), operation=rng.choice([0, 2]))
        if kind in ("write", "read", "atomic"):
            p.stag = 0x1000 + 0x100 * rng.randrange(4)
            p.sink = (0x9000, 0 if same_sink else number * 0x10000)
        if kind == "send":
            p.opcode = rng.choice([w.SEND, w.SEND, w.SEND_SE, w.SEND_INV, w.SEND_SE_INV])
            p.stag = 0x700000 + number if p.opcode in (w.SEND_INV, w.SEND_SE_INV) else 0
        if kind == "immediate":
            p.opcode = rng.choice([w.IMMEDIATE, w.IMMEDIATE_SE])
        posts.append(p)
    if rng.random() < 0.15:
        p = rng.choice(posts)
        p.bad = rng.choice(REASONS[p.kind])
        p.stag = 0xBAD00 + rng.randrange(256) if p.kind in ("write", "read", "atomic") else p.stag
    return posts


def draw_end(rng, revision, enhanced, common):
    return Plan(
        revision=revision, markers=common.markers[rng.randrange(2)], crc=common.crcs[rng.randrange(2)],
        depths=(rng.choice([1, 2, 4, 16, 0x3FFF]), rng.choice([1, 2, 4, 16])) if enhanced else None,
        peer_to_peer=common.peer_to_peer, ready=common.ready if rng.random() < 0.6 else ["send", "write", "read"],
        private=rng.randbytes(rng.choice([0, 0, 4, 24, 200, 508])), rejects=False, crc_field=common.crc_field,
        crc_used=common.crc_used, begun=common.begun, marker_phase=common.marker_phase,
        rdmap_version=common.rdmap_version, first_msn=common.first_msn, reads=rng.choice([1, 2, 4, 16]),
        fpdu=rng.choice(["mss", "mss", int(spread(rng, 64, 9000))]),
        payload=rng.choice(["random", "random", "zeros", "fpdus"]), think_ns=spread(rng, 1e4, 3e6),
        turn_ns=spread(rng, 1e3, 1e6), closes=rng.choice(["done", "done", "abrupt", "no"]),
        close_by=rng.choice(["fin", "fin", "reset"]), close_at=spread(rng, 1e6, 1e8),
        interleaves=rng.random() < 0.2, terminate_swapped=common.terminate_swapped,
        silent_end=chance(rng, 0.2, 0.5), posts=[])


def draw_conversation(rng, number, hosts):
    """A connection; "again": the ports have another one later."""
    version, mss = (4, 1460) if rng.random() < 0.75 else (6, 1440)
    mss = mss if rng.random() < 0.7 else rng.choice([536, 1000, 8948])
    stamps, scaled, enhanced = rng.random() < 0.6, rng.random() < 0.7, rng.random() < 0.5
    begun = rng.random() < 0.15
    common = Plan(
        markers=rng.choice([(0, 0), (0, 0), (1, 1), (0, 1)]), crcs=rng.choice([(0, 0), (1, 1), (0, 1)]),
        peer_to_peer=rng.random() < 0.5, ready=rng.sample(["send", "write", "read"], rng.randrange(1, 4)),
        crc_field=rng.choice(["zero", "zero", "unasked"]), crc_used=rng.random() < 0.5, begun=begun,
        marker_phase=4 * rng.randrange(0, 128) if begun else 0, rdmap_version=rng.choice([1, 1, 1, 0]),
        first_msn=rng.choice([5, (1 << 32) - 4, rng.randrange(1 << 32)]) if begun else 0,
        terminate_swapped=rng.random() < 0.5)
    asks = rng.choice([(True, False), (True, False), (False, True), (True, True), (True, True)])
    ends = [draw_end(rng, 2 if enhanced else 1, enhanced, common) for _ in range(2)]
    if enhanced and rng.random() < 0.9:  # as it has to be
        ends[1].depths = tuple(min(pair) for pair in zip(ends[1].depths, ends[0].depths[::-1]))
    for i in range(2):
        ends[i].posts = draw_posts(rng) if asks[i] else []
    if not asks[0] and not begun:
        ends[0].posts = draw_posts(rng)[:1]  # the responder waits for it
    ends[1].rejects = not begun and rng.random() < 0.04
    sides = [0, rng.randrange(1, hosts)]
    rng.shuffle(sides)
    first = [rng.choice([rng.randrange(1 << 32), (1 << 32) - rng.randrange(1, 40_000)]) + (1 << 33) for _ in range(2)]
    return Plan(hosts=sides, ports=[40_000 + rng.randrange(20_000), rng.choice([18515, 20049, 4420 + number])],
                tcp=[draw_tcp(rng, version, mss, stamps, scaled) for _ in range(2)], ends=ends, first=first,
                begin_ns=spread(rng, 1, 2e6), again_ns=chance(rng, 0.08, spread(rng, 1e7, 2e9)), begun=begun)


def draw_tap(rng):
    whole = rng.random() < 0.45
    worse = lambda probability, value, other=0: chance(rng, not whole and rng.random() < probability, value, other)
    at_host = rng.random() < 0.3
    return Plan(
        whole=whole, at_host=at_host, miss=worse(0.3, spread(rng, 0.002, 0.1)), begin=worse(0.35, rng.random() * 0.7),
        end=worse(0.35, 0.3 + rng.random() * 0.7, 1), mirror_ns=worse(0.15, spread(rng, 1, 100_000)),
        only=worse(0.12, rng.randrange(2), None), snap=worse(0.15, int(spread(rng, 70, 1600)), 262144),
        late_host=worse(0.2, rng.randrange(2), None), late_ns=30_000,
        jitter_ns=worse(0.1, spread(rng, 100, 100_000)),  # several queues of a NIC, each with stamps of its own
        round_ns=worse(0.3, rng.choice([1000, 10_000, 1_000_000]), 1),
        merge_ns=chance(rng, at_host and rng.random() < 0.7, spread(rng, 1e3, 1e5)),
        merge_most=rng.choice([4000, 20_000, 60_000]), merged_sum=rng.choice(["partial", "partial", "right", "wrong"]),
        offload=at_host and rng.random() < 0.6)


def draw(rng):
    faults = {fault for fault in FAULTS if rng.random() < rng.choice([0.1, 0.3])}
    if rng.random() < 0.5:
        faults.add("lose")
    hosts, tap = rng.choice([2, 2, 2, 3]), draw_tap(rng)
    near_ns = spread(rng, 200, 100_000)
    far_ns = near_ns if rng.random() < 0.4 else spread(rng, 200, 5_000_000)
    ident = rng.choice(["host", "socket", "socket", "zero", "random"])
    far = [near_ns] + [far_ns] * (hosts - 1)
    ordered = sorted(faults)
    return Plan(
        faults=ordered, tap=tap,
        hosts=[Plan(ident=ident if rng.random() < 0.9 else "random", rate_bps=rng.choice([1, 10, 100]) * 1_000_000_000,
                    ident_others=rng.choice([0, 0, 0.05, 0.5])) for _ in range(hosts)],
        to_tap=[draw_link(rng, ordered, far[i], True, tap.at_host and i == 0) for i in range(hosts)],
        from_tap=[draw_link(rng, ordered, far[i], False, tap.at_host and i == 0) for i in range(hosts)],
        conversations=[draw_conversation(rng, number, hosts) for number in range(rng.choice([1, 1, 2, 3]))])
