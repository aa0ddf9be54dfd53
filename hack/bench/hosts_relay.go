package main

import (
	"context"
	"slices"
	"sync"
)

// relay lets several parties work one at a time, in turn. Each holds the baton from take
// to pass, and must leave in the end.
type relay struct {
	ctx     context.Context
	mu      sync.Mutex
	changed *sync.Cond
	running []int // the parties that have not left, in order
	next    int   // whose turn it is
	stop    func() bool
}

func newRelay(ctx context.Context, parties int) *relay {
	r := &relay{ctx: ctx}
	r.changed = sync.NewCond(&r.mu)
	for i := range parties {
		r.running = append(r.running, i)
	}
	r.stop = context.AfterFunc(ctx, r.changed.Broadcast)
	return r
}

// take waits for a party's turn, or for the end of the context.
func (r *relay) take(party int) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	for r.next != party && r.ctx.Err() == nil {
		r.changed.Wait()
	}
	return r.ctx.Err()
}

// pass gives the turn to the next party. Out of turn it does nothing.
func (r *relay) pass(party int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.hand(party)
}

func (r *relay) hand(party int) {
	if i := slices.Index(r.running, party); r.next == party && i >= 0 {
		r.next = r.running[(i+1)%len(r.running)]
		r.changed.Broadcast()
	}
}

// leave takes a party out.
func (r *relay) leave(party int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.hand(party)
	r.running = slices.DeleteFunc(r.running, func(p int) bool { return p == party })
	r.changed.Broadcast()
}
