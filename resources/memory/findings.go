package memory

import (
	"slices"
	"strings"
	"unicode"

	"github.com/idumb-dev/idumb/resources"
)

// An agent's message at the end of a turn mostly describes its actions. Findings are the
// sentences with facts: causes, constraints, and approaches that work or fail. They are
// selected by words only, so that a text has the same findings on every machine.

// Limits for the findings of one text.
const (
	maxFindings    = 12
	shortestFound  = 3   // words
	longestFinding = 300 // characters
)

// reports lists phrases that introduce a finding. The text before the phrase is not part of
// the finding.
var reports = [...]string{"found out that", "found that", "turned out that", "turns out that", "discovered that", "learned that", "learnt that", "it turned out", "it turns out", "noticed that", "confirmed that", "note that"}

// findingCues lists further words and phrases that mark a sentence as a finding.
var findingCues = [...]string{
	"because", "root cause", "the reason", "the cause", "caused by", "due to", "must", "must not", "does not work", "doesn t work", "did not work", "didn t work", "do not work", "don t work",
	"cannot", "can t", "never", "always", "only works", "works only", "is not supported", "isn t supported", "depends on", "requires", "gotcha", "decided", "decision", "we chose", "instead of", "false path",
}

// intentions lists beginnings of sentences about future actions or requests to the user.
var intentions = [...]string{"i will", "i ll", "i m going", "i am going", "let me", "let s", "next", "now i", "shall i", "should i", "would you", "could you", "do you", "please", "you can", "you could", "you may", "if you", "i must", "i cannot", "i can t", "i decided to stop", "we will", "we ll", "tell me"}

// Findings returns the sentences of a text that contain findings, in order, without
// duplicates, with masked secrets, at most maxFindings. Code blocks are ignored.
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

// sentences splits a text into sentences in one line each, without markup of lists and
// emphasis.
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

// cutSentence splits after the first full stop, question or exclamation mark before a
// space.
func cutSentence(line string) (sentence, rest string) {
	for i := 0; i+1 < len(line); i++ {
		if strings.IndexByte(".!?", line[i]) >= 0 && line[i+1] == ' ' && !abbreviates(line[:i]) {
			return line[:i+1], strings.TrimSpace(line[i+1:])
		}
	}
	return line, ""
}

// abbreviates reports whether a full stop after these words does not end a sentence: "1.",
// "e.g.".
func abbreviates(words string) bool {
	last := words[strings.LastIndexAny(words, " (")+1:]
	switch last {
	case "e.g", "i.e", "etc", "vs", "cf":
		return true
	}
	return strings.TrimLeft(last, "0123456789") == "" && len(words) < 4
}

// isFinding reports whether a sentence states a finding: it has a phrase of
// reports or findingCues, is not a question or an intention, and is neither too
// short nor too long.
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

// fillers lists words that are ignored when findings are compared.
var fillers = strings.Fields("i we the a an that it is was are were so this also here found finding decision decided root cause")

// findingKey returns the words of a sentence without introduction and fillers. Equal keys
// mean the same finding.
func findingKey(sentence string) string {
	words := " " + NormalText(sentence) + " "
	for _, report := range reports {
		if at := strings.LastIndex(words, " "+report+" "); at >= 0 {
			words = words[at+len(report)+1:]
		}
	}
	return strings.Join(slices.DeleteFunc(strings.Fields(words), func(word string) bool { return slices.Contains(fillers, word) }), " ")
}

// sameFinding reports whether others contains the same finding.
func sameFinding(sentence string, others []string) bool {
	key := findingKey(sentence)
	return slices.ContainsFunc(others, func(other string) bool { return findingKey(other) == key })
}

// minNewWords is the minimum number of new words in a result that is worth a mem.
const minNewWords = 3

// verdicts lists words that only state completion.
var verdicts = strings.Fields(`all also and any are been below built can change changed changes check checked code commit committed
	complete completed correct correctly created done ends everything exit expected file files finished fixed for from green has
	have implemented into merged now once output passed passes passing pass ran run running runs see seen shown shows success
	successful successfully task test tested tests that the them these they this updated verified was were which will with work
	worked working works written yes`)

// isInformative reports whether the result of a task contains information beyond the task itself,
// its required evidence and its file names. "tests pass", or the title of the task, is not
// enough.
func isInformative(t *resources.Task, result *resources.TaskResult) bool {
	said := []string{t.Metadata.Name, t.Spec.Title, t.Spec.ExpectedOutput, result.TestsRun}
	for _, item := range t.Spec.Evidence {
		said = append(said, item.Command, item.File)
	}
	known := wordsOf(strings.Join(append(said, result.FilesModified...), " "))
	known = append(known, verdicts...)
	var news []string
	for _, field := range strings.Fields(result.Evidence) {
		if strings.ContainsAny(strings.Trim(field, "./"), "/\\") {
			continue // a path
		}
		for _, word := range wordsOf(field) {
			if !slices.Contains(known, word) && !slices.Contains(news, word) {
				news = append(news, word)
			}
		}
	}
	return len(news) >= minNewWords
}

// wordsOf returns the words of a text in lower case: at least three letters or digits, or a
// number. In scripts without spaces, each letter is a word.
func wordsOf(text string) []string {
	var spaced strings.Builder
	for _, r := range strings.ToLower(text) {
		if spaced.WriteRune(r); unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai) {
			spaced.WriteByte(' ')
		}
	}
	words := strings.FieldsFunc(spaced.String(), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	return slices.DeleteFunc(words, func(w string) bool { return len(w) < 3 && strings.Trim(w, "0123456789") != "" })
}
