package search

import (
	"fmt"
	"strings"
)

// whyTerms is the maximal number of words in Why.
const whyTerms = 5

// Points returns a score in hundredths of a bit, a readable number.
func Points(score int64) int64 { return (score*100 + weightOne/2) / weightOne }

// Why returns the reasons for a hit in one line: words with their contributions, shares, names,
// confidence. It may contain words of documents; clean it before printing.
func (h Hit) Why() string {
	var parts []string
	for _, t := range h.Terms[:min(whyTerms, len(h.Terms))] {
		part := fmt.Sprintf("%s %d", t.Term, Points(t.Weight))
		if t.Near != "" {
			part = fmt.Sprintf("%s for %s %d", t.Near, t.Term, Points(t.Weight))
		}
		if t.Feedback {
			part += " (a word of the best)"
		}
		parts = append(parts, part)
	}
	if more := len(h.Terms) - whyTerms; more > 0 {
		parts = append(parts, fmt.Sprintf("%d more words", more))
	}
	if h.Related > 0 {
		parts = append(parts, fmt.Sprintf("related to %s %d", h.RelatedID, Points(h.Related)))
	}
	if h.Origin > 0 {
		parts = append(parts, fmt.Sprintf("same origin as %s %d", h.OriginID, Points(h.Origin)))
	}
	text := strings.Join(parts, ", ")
	if len(h.Named) > 0 {
		text += "; x1.6: the question names its " + strings.Join(h.Named, ", ")
	}
	text += fmt.Sprintf("; confidence %d", h.Confidence)
	if h.Suspect {
		text += "; suspect: halved"
	}
	return text
}
