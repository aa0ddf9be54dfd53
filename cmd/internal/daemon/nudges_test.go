package daemon

import (
	"context"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/idumb-dev/idumb/controller"
	"github.com/idumb-dev/idumb/resources"
)

func TestABurstOfNudgesIsOne(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := nudgesFrom(indexes)
		n.change(controller.Change{Key: resources.Key{Kind: resources.Tasks, Name: "t"}})
		assert.Empty(t, n.c, "tasks are in no index")
		mem := controller.Change{Key: resources.Key{Kind: resources.Mems, Name: "m"}}
		start := time.Now()
		var seen atomic.Int32
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan bool)
		go func() {
			for n.wait(ctx, time.Second) {
				seen.Add(1)
			}
			done <- true
		}()
		for range 10 {
			n.change(mem)
			time.Sleep(50 * time.Millisecond)
		}
		assert.Zero(t, seen.Load(), "the burst is not over")
		time.Sleep(2 * time.Second)
		assert.EqualValues(t, 1, seen.Load())
		n.change(mem)
		time.Sleep(2 * time.Second)
		assert.EqualValues(t, 2, seen.Load())
		n.change(mem)
		synctest.Wait()
		cancel()
		<-done
		assert.EqualValues(t, 2, seen.Load(), "who ends does not wait for the burst")
		assert.Less(t, time.Since(start), 6*time.Second)
	})
}
