package hooks

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// A planner and a checker that send the same work back and forth write in
// between, so a write is not progress there. Progress is another file, another
// task, or a report that is better than all before.

// reviewsOf counts how often each agent was started again after another agent,
// since the last progress.
func reviewsOf(past []pastCall, since time.Time) runs {
	r, last := runs{}, ""
	seen, best := map[string]bool{}, map[string]int{}
	anew := func() { r, last = runs{}, "" }
	for _, p := range past {
		if p.time.Before(since) {
			continue
		}
		switch p.kind {
		case pastTurn:
			anew()
			clear(seen)
			clear(best)
		case pastStep:
			anew()
			clear(best)
		case pastAnew:
			if !seen[p.id] {
				anew()
			}
			seen[p.id] = true
		case pastScored:
			s, ok := readScore(p.id)
			if before, scored := best[s.subject]; ok && (!scored || s.points > before) {
				if scored {
					anew()
				}
				best[s.subject] = s.points
			}
		case pastStarted:
			last = r.started(p.id, last)
		}
	}
	return r
}

// score is the score of a piece of work in a report.
type score struct {
	text    string // 6/10, 3 issues
	subject string // its agent and form; only equal ones are compared
	points  int    // higher is better
}

// readScore parses a line with a result of scoreOf and the agent's id. ok is
// false for any other line.
func readScore(line string) (s score, ok bool) {
	given, agent, ok := strings.Cut(line, " ")
	if !ok {
		return s, false
	}
	if n, of, found := strings.Cut(given, "/"); found {
		points, err := strconv.ParseFloat(n, 64)
		most, wrong := strconv.ParseFloat(of, 64)
		if err != nil || wrong != nil || most <= 0 {
			return s, false
		}
		return score{given, agent + "/", int(points / most * 1000)}, true
	}
	n, err := strconv.Atoi(given)
	return score{given + " open", agent, -n}, err == nil
}

// scores returns the last scores since the person's last prompt, in order, at most
// mostTried.
func scores(past []pastCall) (list []string) {
	for _, p := range past {
		if p.kind == pastTurn {
			list = nil
		}
		if s, ok := readScore(p.id); ok && p.kind == pastScored {
			list = append(list, s.text)
		}
	}
	return list[max(0, len(list)-mostTried):]
}

// lastSaid returns the text of the last error in a log.
func lastSaid(past []pastCall) string {
	for _, p := range slices.Backward(past) {
		if p.kind == pastSaid {
			return p.id
		}
	}
	return ""
}

// faults lists the words for open points that reports count.
var faults = [...]string{"issue", "issues", "error", "errors", "problem", "problems", "finding", "findings", "blocker", "blockers", "gap", "gaps"}

// scoreOf returns the score in a report. It is "6/10" for points, else the
// first number in front of a word for open points, for example "3" in "3
// blocking issues". It is empty if the report has neither.
func scoreOf(report string) string {
	words := strings.FieldsFunc(strings.ToLower(report[:min(len(report), longestReport)]), func(r rune) bool {
		return strings.ContainsRune(" \t\r\n*_()[]{}:;,\"'`", r)
	})
	open := ""
	for i, word := range words {
		if given := points(words[i:]); given != "" {
			return given
		}
		if slices.Contains(faults[:], strings.TrimRight(word, ".!")) {
			open = cmp.Or(open, countBefore(words[:i]))
		}
	}
	return open
}

// longestReport limits how much of a report is read, in bytes.
const longestReport = 32 << 10

// points parses "6/10", "6 / 10" and "6 out of 10" at the beginning of words.
// It accepts only a maximum of 5, 10 or 100, to exclude dates and fractions
// ("1/2").
func points(words []string) string {
	n, most, found := strings.Cut(strings.TrimRight(words[0], ".!"), "/")
	switch {
	case found:
	case len(words) > 2 && words[1] == "/":
		most = words[2]
	case len(words) > 3 && words[1] == "out" && words[2] == "of":
		most = words[3]
	}
	most = strings.TrimRight(most, ".!")
	value, err := strconv.ParseFloat(n, 64)
	if err != nil || value < 0 || value > 100 || !slices.Contains([]string{"5", "10", "100"}, most) {
		return ""
	}
	return strconv.FormatFloat(value, 'f', -1, 64) + "/" + most
}

// countBefore returns the number in front of a word, with at most one word in
// between; "no" is 0.
func countBefore(words []string) string {
	for _, word := range words[max(0, len(words)-2):] {
		if n, err := strconv.Atoi(word); err == nil && n >= 0 && n < 10000 {
			return strconv.Itoa(n)
		}
		if word == "no" || word == "zero" {
			return "0"
		}
	}
	return ""
}
