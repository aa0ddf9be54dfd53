// Simulate runs a team of thousands of machines that share a million tasks
// through one real etcd on this machine, and reports the rate at which it is
// overloaded:
//
//	hack/syncgo run ./hack/simulate [-machines 2000] [-tasks 1000000] [-plans 1000] [-each 10] [-step 10s] [-connections N]
//
// The etcd is a separate process with durable files. The machines are
// simulated: each has a lease and watches some plans through the engine's own
// adapter. The rate of writes doubles until they or the notifications are late.
// All machines share the processors with etcd, so a result is a lower bound.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"time"

	"github.com/idumb-dev/idumb/cmd/idumb-sync/hack/oneetcd"
)

// size holds the parameters of the simulation.
type size struct {
	machines, tasks, plans, each, connections, bytes, joiners int
	step, most                                                time.Duration
	forgets                                                   bool
}

func main() {
	oneetcd.Serve()
	var s size
	flag.IntVar(&s.machines, "machines", 2000, "machines, each with a lease")
	flag.IntVar(&s.tasks, "tasks", 1_000_000, "tasks in all plans")
	flag.IntVar(&s.plans, "plans", 1000, "plans")
	flag.IntVar(&s.each, "each", 10, "plans that a machine watches")
	flag.IntVar(&s.connections, "connections", 500, "connections that the machines share")
	flag.IntVar(&s.bytes, "bytes", 1200, "size of a task")
	flag.IntVar(&s.joiners, "joiners", 20, "number of machines that list all their plans at once at the end")
	flag.BoolVar(&s.forgets, "no-fsync", false, "run the etcd without fsync, if other programs keep the disk busy")
	flag.DurationVar(&s.step, "step", 10*time.Second, "duration of each rate")
	flag.DurationVar(&s.most, "most", 8*time.Minute, "timeout of the whole run")
	flag.Parse()
	ctx, cancel := context.WithTimeout(context.Background(), s.most)
	defer cancel()
	if err := run(ctx, s); err != nil {
		fmt.Fprintln(os.Stderr, "simulate:", err)
		os.Exit(1)
	}
}

// run loads an etcd with tasks and watches, doubles the rate of writes until etcd is overloaded
// twice in a row, and prints the figures of each rate.
func run(ctx context.Context, s size) error {
	began := time.Now()
	server, err := oneetcd.Start("", s.forgets)
	if err != nil {
		return err
	}
	defer server.Stop()
	t, err := newTeam(ctx, s, server)
	if err != nil {
		return err
	}
	defer t.close()
	if err := t.load(ctx); err != nil {
		return err
	}
	fmt.Printf("%d tasks of %d bytes in %v (%.0f/s); etcd: %s\n", s.tasks, s.bytes, time.Since(began).Round(time.Second), float64(s.tasks)/time.Since(began).Seconds(), server)
	before := time.Now()
	if err := t.listen(ctx); err != nil {
		return err
	}
	fmt.Printf("%d machines by %d connections watch %d plans each: %d watches, made in %v; etcd: %s\n",
		s.machines, len(t.clients), s.each, s.machines*s.each, time.Since(before).Round(time.Millisecond), server)
	fmt.Println("writes/s asked   made   write p50      p99     heard/s   heard p50      p99   etcd cpu   this cpu   fsync p50      p99")
	for rate, bent := 60, 0; bent < 2; { // a single overload may be caused by other load
		late, err := t.hold(ctx, rate)
		if err != nil {
			return err
		}
		if bent++; !late {
			rate, bent = 2*rate, 0
		}
	}
	if err := t.join(ctx); err != nil {
		return err
	}
	fmt.Printf("etcd in the end: %s; all in %v\n", server, time.Since(began).Round(time.Second))
	return nil
}
