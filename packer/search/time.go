package search

import (
	"strconv"
	"strings"
)

// timePercent multiplies the score of a document that contains a time if the question asks for one.
const timePercent = 120

// timeWords lists the words of times, in addition to years.
var timeWords = [...]string{
	"yesterday", "today", "tonight", "tomorrow", "ago", "last", "next", "since", "recently",
	"minute", "hour", "day", "week", "weekend", "month", "year", "morning", "afternoon", "evening", "night",
	"monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday",
	"january", "february", "march", "april", "june", "july", "august", "september", "october", "november", "december",
	"spring", "summer", "autumn", "fall", "winter", "christmas", "easter", "birthday",
}

// asksWhen reports whether a question asks for a time. A query of several parts is a task.
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

// telling returns the documents that contain a time.
func (r *Result) telling() []bool {
	found := make([]bool, len(r.hidden))
	a := analyser{}
	for _, word := range timeWords {
		r.mark(a.only(word), func(i int32) { found[i] = true })
	}
	for year := 1900; year < 2100; year++ {
		r.mark(strconv.Itoa(year), func(i int32) { found[i] = true })
	}
	return found
}

// tellsTime reports whether a document contains a time and the question asks for one.
func (r *Result) tellsTime(i int32) bool { return r.timed != nil && r.timed[i] }
