package resources

import "time"

const (
	// DefaultConfidence is how sure one is of a mem that does not say, on the scale
	// of 0 to 100.
	DefaultConfidence = 80
	// ConfidenceFloor is what forgetting never goes below. A mem that starts at it
	// or below stays where it is.
	ConfidenceFloor = 30
	// DefaultMemSpan and FalsePathSpan are S, the span after which nine tenths of
	// the way above the floor are left: 30 days for insights, 60 for false paths.
	DefaultMemSpan = 30 * day
	FalsePathSpan  = 60 * day

	day     = 24 * time.Hour
	maxDays = int(1<<63-1) / int(day) // of a time.Duration, 292 years
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
	whole := 81*s + 19*int64(min(days, maxDays))*int64(day/time.Second)
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
