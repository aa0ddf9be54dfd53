package search

// Shares returns the number of question words in the document, without commonplace words. It serves
// small stores about one subject, in which no document reaches the threshold of Bears.
func (h *Hit) Shares() (words int) {
	for _, t := range h.Terms {
		if !t.Feedback && t.Near == "" && !isCommonplace(t.Term) {
			words++
		}
	}
	return words
}
