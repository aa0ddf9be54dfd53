package memory

import (
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/resources"
)

// What an agent says at the end of a turn is mostly what it did. Findings are the sentences of it that
// tell something of the world: how it is, why, what works and what does not. They are picked by their
// words alone, so that the same text gives the same findings on every machine.

// Bounds of what is picked from one text.
const (
	maxFindings    = 12
	shortestFound  = 3   // words
	longestFinding = 300 // characters: what is longer is no sentence
)

// reports are the words behind which a sentence tells what was found; what stands before them
// says how.
var reports = [...]string{"found out that", "found that", "turned out that", "turns out that", "discovered that", "learned that", "learnt that", "it turned out", "it turns out", "noticed that", "confirmed that", "note that"}

// findingCues are the words, between blanks, that make a sentence a finding, besides reports.
var findingCues = [...]string{
	"because", "root cause", "the reason", "the cause", "caused by", "due to", "must", "must not", "does not work", "doesn t work", "did not work", "didn t work", "do not work", "don t work",
	"cannot", "can t", "never", "always", "only works", "works only", "is not supported", "isn t supported", "depends on", "requires", "gotcha", "decided", "decision", "we chose", "instead of", "false path",
}

// intentions are beginnings of sentences about what is to be done, or is asked of the person.
var intentions = [...]string{"i will", "i ll", "i m going", "i am going", "let me", "let s", "next", "now i", "shall i", "should i", "would you", "could you", "do you", "please", "you can", "you could", "you may", "if you", "i must", "i cannot", "i can t", "i decided to stop", "we will", "we ll", "tell me"}

// Findings picks the sentences of a text that tell what was found, each once, in their order, with
// secrets masked; at most a dozen. What stands in a block of code is no sentence.
func Findings(text string) []string {
	var found, keys []string
	for _, sentence := range sentences(text) {
		key := findingKey(sentence)
		if !isFinding(sentence) || slices.Contains(keys, key) {
			continue
		}
		keys = append(keys, key)
		if found = append(found, sentence); len(found) == maxFindings {
			break
		}
	}
	return found
}

// sentences cuts a text into sentences, each in one line, without marks of lists and emphasis.
func sentences(text string) []string {
	var all []string
	code := false
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "```") {
			code = !code
			continue
		}
		line = strings.TrimLeft(line, "#>*-+•| \t")
		if code || line == "" {
			continue
		}
		for rest := line; rest != ""; {
			var one string
			one, rest = cutSentence(rest)
			if one = strings.Trim(strings.ReplaceAll(one, "**", ""), " \t|"); one != "" {
				all = append(all, strings.Join(resources.MaskSecrets(strings.Fields(strings.Map(resources.Visible, one))), " "))
			}
		}
	}
	return all
}

// cutSentence cuts behind the first full stop, question or exclamation mark that a blank follows.
func cutSentence(line string) (sentence, rest string) {
	for i := 0; i+1 < len(line); i++ {
		if strings.IndexByte(".!?", line[i]) >= 0 && line[i+1] == ' ' && !abbreviates(line[:i]) {
			return line[:i+1], strings.TrimSpace(line[i+1:])
		}
	}
	return line, ""
}

// abbreviates reports whether a full stop behind these words ends no sentence: "1.", "e.g.".
func abbreviates(words string) bool {
	last := words[strings.LastIndexAny(words, " (")+1:]
	switch last {
	case "e.g", "i.e", "etc", "vs", "cf":
		return true
	}
	return strings.TrimLeft(last, "0123456789") == "" && len(words) < 4
}

// isFinding reports whether a sentence tells something that was found.
func isFinding(sentence string) bool {
	words := NormalText(sentence)
	if strings.HasSuffix(sentence, "?") || len([]rune(sentence)) > longestFinding || strings.Count(findingKey(sentence), " ")+1 < shortestFound {
		return false
	}
	if slices.ContainsFunc(intentions[:], func(begin string) bool { return strings.HasPrefix(words+" ", begin+" ") }) {
		return false
	}
	says := func(cue string) bool { return strings.Contains(" "+words+" ", " "+cue+" ") }
	return slices.ContainsFunc(reports[:], says) || slices.ContainsFunc(findingCues[:], says)
}

// fillers are words that tell nothing: who differs in these alone says the same.
var fillers = strings.Fields("i we the a an that it is was are were so this also here found finding decision decided root cause")

// findingKey is equal for sentences that say the same in the same order, whoever reports it.
func findingKey(sentence string) string {
	words := " " + NormalText(sentence) + " "
	for _, report := range reports {
		if at := strings.LastIndex(words, " "+report+" "); at >= 0 {
			words = words[at+len(report)+1:]
		}
	}
	return strings.Join(slices.DeleteFunc(strings.Fields(words), func(word string) bool { return slices.Contains(fillers, word) }), " ")
}

// sameFinding reports whether one of some sentences says what a sentence says.
func sameFinding(sentence string, others []string) bool {
	key := findingKey(sentence)
	return slices.ContainsFunc(others, func(other string) bool { return findingKey(other) == key })
}
