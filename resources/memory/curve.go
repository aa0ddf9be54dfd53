package memory

import (
	"math/bits"
	"time"

	"github.com/idumb-dev/idumb/resources/status"
)

const (
	// DefaultConfidence is the confidence of a mem that does not specify one, on a scale
	// from 0 to 100.
	DefaultConfidence = 80
	// ConfidenceFloor is the lower bound of forgetting. The confidence of a mem that starts
	// at or below it does not change.
	ConfidenceFloor = 30
	// DefaultMemSpan and FalsePathSpan are the stability S of unconfirmed mems: the time
	// after which 90% of the confidence above the floor is left. It is 30 days for insights
	// and 60 days for false paths. Only days with project activity count (see WorkDays).
	DefaultMemSpan = 30 * status.Day
	FalsePathSpan  = 60 * status.Day

	maxDays = int((1<<63 - 1) / int64(status.Day)) // limit of time.Duration, 292 years
)

// Confidence returns the remaining confidence of a mem (0 to 100) after a number of days,
// by the forgetting curve of FSRS-4.5 (Free Spaced Repetition Scheduler,
// open-spaced-repetition; decay -0.5, factor 19/81):
//
//	floor + (start - floor) * (1 + 19/81 * days/S)^-0.5
//
// The result is rounded to the nearest integer, halves up. S is the stability: at days = S
// the factor is 0.9. The computation uses integers, so that the result is the same on every
// machine.
func Confidence(start int, days int, stability time.Duration) int {
	above := start - ConfidenceFloor
	if above <= 0 || days <= 0 {
		return start
	}
	s := max(1, int64(stability/time.Second))
	whole := 81*s + 19*int64(min(days, maxDays))*int64(status.Day/time.Second)
	// The factor is sqrt(81 S / whole). above*factor rounds to the largest n with n - 1/2
	// <= above*factor, that is (2n-1)^2 * whole <= (2*above)^2 * 81 S.
	right := 4 * int64(above) * int64(above) * 81 * s
	n := int64(above)
	for n > 0 && (2*n-1)*(2*n-1)*whole > right {
		n--
	}
	return ConfidenceFloor + int(n)
}

// daysUntilBelow returns the smallest number of days, at least days, after which the
// confidence is less than limit. It returns -1 if that never happens. It is a binary
// search, because confidence only decreases.
func daysUntilBelow(limit, days, start int, stability time.Duration) int {
	if Confidence(start, maxDays, stability) >= limit {
		return -1
	}
	low, high := max(0, days), maxDays
	for low < high {
		if middle := low + (high-low)/2; Confidence(start, middle, stability) < limit {
			high = middle
		} else {
			low = middle + 1
		}
	}
	return low
}

// Stability returns the S of a mem with a number of confirmations:
//
//	base * (1 + log2(1 + confirmations) / 2)
//
// The result is in whole seconds, computed in integers.
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

// logBits is the number of fractional bits of log2.
const logBits = 16

// log2 returns the binary logarithm of n > 0, rounded down to logBits fractional bits. It
// is monotonic.
func log2(n uint64) uint64 {
	whole := uint64(bits.Len64(n) - 1)
	x := n << (63 - whole) // n / 2^whole, 1 to 2, with 63 fractional bits
	fraction := uint64(0)
	for range logBits {
		high, low := bits.Mul64(x, x) // 62 fractional bits
		fraction <<= 1
		if high>>63 == 1 {
			fraction |= 1
			x = high // half of it, with 63 fractional bits
		} else {
			x = high<<1 | low>>63
		}
	}
	return whole<<logBits | fraction
}
