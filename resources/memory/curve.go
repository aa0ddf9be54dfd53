package memory

import (
	"math/bits"
	"time"

	"github.com/idumb-dev/idumb/resources/status"
)

const (
	// DefaultConfidence is how sure one is of a mem that does not say, on the scale
	// of 0 to 100.
	DefaultConfidence = 80
	// ConfidenceFloor is what forgetting never goes below. A mem that starts at it
	// or below stays where it is.
	ConfidenceFloor = 30
	// DefaultMemSpan and FalsePathSpan are S of a mem that nobody confirmed, the span after
	// which nine tenths of the way above the floor are left: 30 days for insights, 60
	// for false paths. A day is one on which the project saw work (see WorkDays).
	DefaultMemSpan = 30 * status.Day
	FalsePathSpan  = 60 * status.Day

	maxDays = int((1<<63 - 1) / int64(status.Day)) // of a time.Duration, 292 years
)

// Confidence returns what is left of a mem's confidence (0 to 100) after whole
// days, by the forgetting curve of FSRS-4.5 (Free Spaced Repetition Scheduler,
// open-spaced-repetition; decay -0.5, factor 19/81):
//
//	floor + (start - floor) * (1 + 19/81 * days/S)^-0.5
//
// rounded to the nearest whole number, halves up. S is the stability: at days = S
// the factor is 0.9. It is computed in integers, so that it is the same number on
// every machine.
func Confidence(start int, days int, stability time.Duration) int {
	above := start - ConfidenceFloor
	if above <= 0 || days <= 0 {
		return start
	}
	s := max(1, int64(stability/time.Second))
	whole := 81*s + 19*int64(min(days, maxDays))*int64(status.Day/time.Second)
	// The factor is sqrt(81 S / whole). above*factor rounds to the largest n with
	// n - 1/2 <= above*factor, that is (2n-1)^2 * whole <= (2*above)^2 * 81 S.
	right := 4 * int64(above) * int64(above) * 81 * s
	n := int64(above)
	for n > 0 && (2*n-1)*(2*n-1)*whole > right {
		n--
	}
	return ConfidenceFloor + int(n)
}

// daysUntilBelow returns after how many whole days, days or more, confidence is
// less than limit; -1 if it never is. Confidence only falls, so it halves its way.
func daysUntilBelow(limit, days, start int, stability time.Duration) int {
	if Confidence(start, maxDays, stability) >= limit {
		return -1
	}
	low, high := max(0, days), maxDays
	for low < high {
		middle := low + (high-low)/2
		if Confidence(start, middle, stability) < limit {
			high = middle
		} else {
			low = middle + 1
		}
	}
	return low
}

// Stability returns the S of a mem that was confirmed so often:
//
//	base * (1 + log2(1 + confirmations) / 2)
//
// in whole seconds, computed in integers.
func Stability(base time.Duration, confirmations int) time.Duration {
	const one = 1 << logBits
	if confirmations <= 0 {
		return base
	}
	seconds := uint64(max(0, base) / time.Second)
	high, low := bits.Mul64(seconds, 2*one+log2(uint64(confirmations)+1))
	grown, _ := bits.Div64(high, low, 2*one) // high < 2*one: seconds are below 2^34, the factor below 2^23
	return time.Duration(min(grown, uint64(1<<63-1)/uint64(time.Second))) * time.Second
}

// logBits is how many bits behind the point log2 has.
const logBits = 16

// log2 is the binary logarithm of n > 0 with logBits bits behind the point, cut off. It
// never falls as n grows.
func log2(n uint64) uint64 {
	whole := uint64(bits.Len64(n) - 1)
	x := n << (63 - whole) // n / 2^whole, 1 to 2, with 63 bits behind the point
	fraction := uint64(0)
	for range logBits {
		high, low := bits.Mul64(x, x) // 62 bits behind the point
		fraction <<= 1
		if high>>63 == 1 {
			fraction |= 1
			x = high // half of it, with 63 bits behind the point
		} else {
			x = high<<1 | low>>63
		}
	}
	return whole<<logBits | fraction
}
