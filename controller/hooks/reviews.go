package hooks

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// A planner and a checker who send the same thing to and fro write in between, so that writing is
// no progress there. What is: another file, another task, a report that is better than all before.

// reviewsOf counts, of a log, how often each agent was started again after another one was, since
// something was last got on with.
func reviewsOf(past []pastCall, since time.Time) runs {
	r, last := runs{}, ""
	seen, best := map[string]bool{}, map[string]int{}
	anew := func() { r, last = runs{}, "" }
	for _, p := range past {
		if p.at.Before(since) {
			continue
		}
		switch p.what {
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
			if before, scored := best[s.of]; ok && (!scored || s.points > before) {
				if scored {
					anew()
				}
				best[s.of] = s.points
			}
		case pastStarted:
			last = r.started(p.id, last)
		}
	}
	return r
}

// score is what a report gives the work that it is about.
type score struct {
	text   string // 6/10, 3 issues
	of     string // whose it is, and of which sort: only these are compared
	points int    // the more the better
}

// readScore reads what scoreOf found, with the agent's id behind it.
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

// scores are the reports of a log since the person spoke, in order.
func scores(past []pastCall) (list []string) {
	for _, p := range past {
		if p.what == pastTurn {
			list = nil
		}
		if s, ok := readScore(p.id); ok && p.what == pastScored {
			list = append(list, s.text)
		}
	}
	return list[max(0, len(list)-mostTried):]
}

// lastSaid is what the last error of a log says.
func lastSaid(past []pastCall) string {
	for _, p := range slices.Backward(past) {
		if p.what == pastSaid {
			return p.id
		}
	}
	return ""
}

// faults are what reports count that is still open.
var faults = [...]string{"issue", "issues", "error", "errors", "problem", "problems", "finding", "findings", "blocker", "blockers", "gap", "gaps"}

// scoreOf is what a report gives: "6/10" where it gives points of so many, else the first number
// that stands before what is still open, "3" of "3 blocking issues"; "" if it gives neither.
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

// longestReport is how much of a report is looked at, in bytes.
const longestReport = 32 << 10

// points reads "6/10", "6 / 10" and "6 out of 10" at the beginning of words; of days and parts
// ("1/2") it reads none, as the most is 5, 10 or 100.
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

// countBefore is the number that stands before a word, perhaps with one word in between; "no" is none.
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
