package research

import (
	"strings"
	"unicode/utf8"
)

const (
	finding     = "FINDING:"
	maxFindings = 10
	maxFinding  = 2000 // bytes
)

// prompt returns the prompt of a child.
func prompt(delegation, task, question string) string {
	return "You research one question for another agent, under delegation/" + delegation + " for the task " + task + `.
You read and find out; you change no files, start no agents and start no research.
Say what you saw and where. End with at most ten lines, one for each thing found out, each
as "` + finding + ` the fact, and its source". The question:

` + question + "\n"
}

// findings returns the findings in a child's final message: each paragraph that
// begins with the mark, or else the whole message.
func findings(text string) (all []string) {
	for _, part := range strings.Split("\n"+text, "\n"+finding)[1:] {
		part, _, _ = strings.Cut(part, "\n\n")
		if part = short(part); part != "" && len(all) < maxFindings {
			all = append(all, part)
		}
	}
	if text = short(text); len(all) == 0 && text != "" {
		all = []string{text}
	}
	return all
}

// short returns a finding without surrounding space, cut at maxFinding bytes.
func short(text string) string {
	text = strings.TrimSpace(text)
	if len(text) <= maxFinding {
		return text
	}
	cut := maxFinding
	for cut > 0 && !utf8.RuneStart(text[cut]) {
		cut--
	}
	return text[:cut] + "..."
}
