// Package suggest finds what someone who mistyped a word may have meant.
package suggest

// Nearest returns the candidate that is nearest to word, or "" if none is near
// enough: at most a third of the word's letters, and at least one, may be wrong
// (two neighbours swapped count as one). Of candidates that are equally near
// the first wins.
func Nearest(word string, candidates []string) string {
	best, limit := "", max(1, len(word)/3)
	for _, c := range candidates {
		if d := distance(word, c); d <= limit && d < len(c) {
			best, limit = c, d-1
		}
	}
	return best
}

// distance is the optimal string alignment distance, in bytes: insertions,
// deletions, replacements and swaps of neighbours.
func distance(a, b string) int {
	before, last, row := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range last {
		last[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			row[j] = min(last[j]+1, row[j-1]+1, last[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		before, last, row = last, row, before
	}
	return last[len(b)]
}
