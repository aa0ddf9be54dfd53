package daemon

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

// What fails is tried again after twice as long each time: a host that counts is left alone for longer,
// and an etcd of one's own is asked by each machine at a moment of its own.
func TestRetry(t *testing.T) {
	for failed, wait := range map[int]time.Duration{0: time.Minute / 2, 1: time.Minute, 2: 2 * time.Minute, 4: 5 * time.Minute, 100: 5 * time.Minute} {
		assert.Equal(t, wait, retry(failed, false), failed)
	}
	for failed, most := range map[int]time.Duration{0: time.Second, 1: time.Second, 2: 2 * time.Second, 3: 4 * time.Second, 9: 256 * time.Second, 10: 5 * time.Minute, 1000: 5 * time.Minute} {
		seen := map[time.Duration]bool{}
		for range 100 {
			wait := retry(failed, true)
			assert.LessOrEqual(t, wait, most)
			assert.GreaterOrEqual(t, wait, most/2)
			seen[wait] = true
		}
		assert.Greater(t, len(seen), 50, "each at a moment of its own")
	}
}
