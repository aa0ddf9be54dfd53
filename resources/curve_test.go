package resources

import (
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

// The curve in integers is the curve in floating point, but where that is within
// rounding of a half.
func TestConfidenceIsTheCurve(t *testing.T) {
	for start := 0; start <= 100; start += 5 {
		for _, stability := range []time.Duration{time.Second, 36 * time.Hour, DefaultMemSpan, FalsePathSpan, 100_000 * time.Hour} {
			for _, days := range []int{0, 1, 2, 7, 29, 30, 31, 90, 365, 3650, 100_000} {
				above := float64(max(0, start-ConfidenceFloor))
				exact := above / math.Sqrt(1+19.0/81*float64(days)/(stability.Hours()/24))
				if _, fraction := math.Modf(exact); math.Abs(fraction-0.5) < 1e-9 {
					continue
				}
				want := ConfidenceFloor + int(math.Round(exact))
				if above == 0 {
					want = start
				}
				assert.Equal(t, want, Confidence(start, days, stability), "start %d, %d days, S %s", start, days, stability)
			}
		}
	}
}

func TestConfidence(t *testing.T) {
	assert.Equal(t, 80, Confidence(80, 0, DefaultMemSpan))
	assert.Equal(t, 75, Confidence(80, 30, DefaultMemSpan), "at S nine tenths of the way above the floor are left")
	assert.Equal(t, 75, Confidence(80, 60, FalsePathSpan))
	assert.Equal(t, 20, Confidence(20, 1000, DefaultMemSpan), "what starts below the floor stays")
	assert.Equal(t, 30, Confidence(100, math.MaxInt, time.Second))
	assert.Equal(t, 100, Confidence(100, -5, DefaultMemSpan), "a clock set back")
}

func TestDaysUntilBelow(t *testing.T) {
	for _, limit := range []int{45, 60, 75, 80} {
		day := daysUntilBelow(limit, 0, 80, DefaultMemSpan)
		assert.Less(t, Confidence(80, day, DefaultMemSpan), limit)
		assert.GreaterOrEqual(t, Confidence(80, day-1, DefaultMemSpan), limit)
	}
	assert.Equal(t, -1, daysUntilBelow(31, 0, 80, DefaultMemSpan), "not within 292 years")
	assert.Equal(t, 0, daysUntilBelow(90, 0, 80, DefaultMemSpan))
	assert.Equal(t, -1, daysUntilBelow(60, 0, 80, math.MaxInt64))
}
