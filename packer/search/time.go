package search

import "strings"

// timePercent is what the score of a document is multiplied by that tells a time, where the
// question asks for one.
const timePercent = 120

// timeWords are what times are told with, besides years.
var timeWords = [...]string{
	"yesterday", "today", "tonight", "tomorrow", "ago", "last", "next", "since", "recently",
	"minute", "hour", "day", "week", "weekend", "month", "year", "morning", "afternoon", "evening", "night",
	"monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday",
	"january", "february", "march", "april", "june", "july", "august", "september", "october", "november", "december",
	"spring", "summer", "autumn", "fall", "winter", "christmas", "easter", "birthday",
}

// asksWhen reports whether a question asks for a time. Texts of several parts are of tasks.
func asksWhen(q Query) bool {
	if len(q.Parts) != 1 || len(q.Parts[0].Text) > 1000 {
		return false
	}
	text := strings.ToLower(q.Parts[0].Text)
	for _, begin := range []string{"when ", "since when ", "how long "} {
		if strings.HasPrefix(text, begin) {
			return true
		}
	}
	for _, unit := range []string{"year", "month", "week", "day", "date", "season"} {
		if strings.Contains(text, "what "+unit) || strings.Contains(text, "which "+unit) {
			return true
		}
	}
	return false
}

// telling finds the documents that tell a time.
func (x *Index) telling() []bool {
	found := make([]bool, len(x.documents))
	a := analyser{}
	for _, word := range timeWords {
		x.mark(a.only(word), func(i int32) { found[i] = true })
	}
	x.years(func(i int32) { found[i] = true })
	return found
}

// years visits the documents that tell a year, from 1900 on.
func (x *Index) years(visit func(int32)) {
	for _, century := range []string{"19", "20"} {
		for p := range x.parts {
			s := x.parts[p].Analysed
			for t, _ := s.find(century); t < len(s.terms) && strings.HasPrefix(s.terms[t], century); t++ {
				if term := s.terms[t]; len(term) == 4 && isDigit(term[2]) && isDigit(term[3]) {
					x.mark(term, visit)
				}
			}
		}
	}
}

// tellsTime reports a document that tells a time that the question asks for.
func (r *Result) tellsTime(i int32) bool { return r.timed != nil && r.timed[i] }
