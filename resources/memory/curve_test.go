package memory_test

import (
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/idumb-dev/idumb/resources/memory"
)

// The curve in integers is the curve in floating point, but where that is within
// rounding of a half.
func TestConfidenceIsTheCurve(t *testing.T) {
	for start := 0; start <= 100; start += 5 {
		for _, stability := range []time.Duration{time.Second, 36 * time.Hour, memory.DefaultMemSpan, memory.FalsePathSpan, 100_000 * time.Hour} {
			for _, days := range []int{0, 1, 2, 7, 29, 30, 31, 90, 365, 3650, 100_000} {
				above := float64(max(0, start-memory.ConfidenceFloor))
				exact := above / math.Sqrt(1+19.0/81*float64(days)/(stability.Hours()/24))
				if _, fraction := math.Modf(exact); math.Abs(fraction-0.5) < 1e-9 {
					continue
				}
				want := memory.ConfidenceFloor + int(math.Round(exact))
				if above == 0 {
					want = start
				}
				assert.Equal(t, want, memory.Confidence(start, days, stability), "start %d, %d days, S %s", start, days, stability)
			}
		}
	}
}

func TestConfidence(t *testing.T) {
	assert.Equal(t, 80, memory.Confidence(80, 0, memory.DefaultMemSpan))
	assert.Equal(t, 75, memory.Confidence(80, 30, memory.DefaultMemSpan), "at S nine tenths of the way above the floor are left")
	assert.Equal(t, 75, memory.Confidence(80, 60, memory.FalsePathSpan))
	assert.Equal(t, 20, memory.Confidence(20, 1000, memory.DefaultMemSpan), "what starts below the floor stays")
	assert.Equal(t, 30, memory.Confidence(100, math.MaxInt, time.Second))
	assert.Equal(t, 100, memory.Confidence(100, -5, memory.DefaultMemSpan), "a clock set back")
}

func TestDaysUntilBelow(t *testing.T) {
	for _, limit := range []int{45, 60, 75, 80} {
		day := memory.DaysUntilBelow(limit, 0, 80, memory.DefaultMemSpan)
		assert.Less(t, memory.Confidence(80, day, memory.DefaultMemSpan), limit)
		assert.GreaterOrEqual(t, memory.Confidence(80, day-1, memory.DefaultMemSpan), limit)
	}
	assert.Equal(t, -1, memory.DaysUntilBelow(31, 0, 80, memory.DefaultMemSpan), "not within 292 years")
	assert.Equal(t, 0, memory.DaysUntilBelow(90, 0, 80, memory.DefaultMemSpan))
	assert.Equal(t, -1, memory.DaysUntilBelow(60, 0, 80, math.MaxInt64))
}
