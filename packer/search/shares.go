package search

// Shares is how many words of the question a document has itself, commonplaces aside. Of few
// documents that are all about the same none Bears: what they have in common tells them not apart.
func (h *Hit) Shares() (words int) {
	for _, t := range h.Terms {
		if !t.Feedback && t.Near == "" && !isCommonplace(t.Term) {
			words++
		}
	}
	return words
}
