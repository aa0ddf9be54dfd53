package resources

import "strings"

// Nearest returns the candidate closest to word. It returns "" if no candidate
// is close. A candidate is close if it differs only in case, or in a limited
// number of edits: a third of the length of word, at least one and at most
// three. An edit inserts, deletes or replaces a letter, or swaps two neighbors.
// Of equally close candidates, it returns the first.
func Nearest(word string, candidates []string) string {
	limit := min(3, max(1, len(word)/3))
	best := ""
	for _, c := range candidates {
		if strings.EqualFold(word, c) {
			return c
		}
		if d := editDistance(strings.ToLower(word), strings.ToLower(c), limit); d <= limit {
			best, limit = c, d-1
		}
	}
	return best
}

// editDistance returns the optimal string alignment distance in bytes, or a
// number greater than limit if the distance exceeds limit or a is longer than
// MaxNameLength.
func editDistance(a, b string, limit int) int {
	if len(a)-len(b) > limit || len(b)-len(a) > limit || len(a) > MaxNameLength {
		return limit + 1
	}
	before, last, row := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range last {
		last[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row[0] = i
		for j := 1; j <= len(b); j++ {
			replaced := last[j-1]
			if a[i-1] != b[j-1] {
				replaced++
			}
			row[j] = min(replaced, last[j]+1, row[j-1]+1)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		before, last, row = last, row, before
	}
	return last[len(b)]
}
