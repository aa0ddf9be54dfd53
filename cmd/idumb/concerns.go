package main

import (
	"fmt"

	"github.com/idumb-dev/idumb/cmd/internal/kubectl/printers"
	"github.com/idumb-dev/idumb/cmd/internal/kubectl/terminal"
	"github.com/idumb-dev/idumb/controller/serve/questions"
	"github.com/idumb-dev/idumb/resources"
)

// wideHeaders is the usage of --no-headers for verbs with a table only for -o wide.
const wideHeaders = "with -o wide: omit the column headers"

func (a *app) printConcerns(p *printers.Printer, all []questions.Concern) error {
	if p.Format.NeedsDocument() {
		return p.PrintItems(a.stdout, items(concernDocuments(all)))
	}
	table := recordTable[questions.Concern]{
		headers: []string{"NAME", "REASON", "PHASE", "CONFIDENCE", "WHAT", "DO"}, always: 6, nothing: "No resources found",
		row: func(n questions.Concern) []string {
			return []string{n.Name(), n.Reason, n.Phase, confidenceOf(&n, ""), n.What, n.Remedies()}
		},
		name: func(n questions.Concern) string { return terminal.EscapeLine(qualified(n.Key)) },
		text: func(n questions.Concern) string {
			text := terminal.EscapeLine(qualified(n.Key)) + "  " + n.Reason + confidenceOf(&n, "  confidence ") + below(n.What)
			for _, answer := range n.Answers {
				text += below(answer.Word + ": " + answer.Do)
			}
			if len(n.Answers) == 0 {
				text += below(n.Remedies())
			}
			return text
		},
	}
	return table.print(a, p, all)
}

// confidenceOf returns a text with the confidence of a mem, empty for other kinds.
func confidenceOf(n *questions.Concern, before string) string {
	if n.Key.Kind != resources.Mems || n.Phase == resources.PhaseInvalid {
		return ""
	}
	return before + fmt.Sprint(n.Confidence)
}

// concernDocument is a review item in the form of -o json.
type concernDocument struct {
	Name       string             `json:"name"`
	Reason     string             `json:"reason"`
	Phase      string             `json:"phase"`
	Confidence int                `json:"confidence,omitempty"`
	What       string             `json:"what"`
	Remedy     string             `json:"remedy"`
	Answers    []questions.Answer `json:"answers,omitempty"`
}

func concernDocuments(all []questions.Concern) []concernDocument {
	documents := make([]concernDocument, 0, len(all))
	for i := range all {
		n := &all[i]
		documents = append(documents, concernDocument{n.Name(), n.Reason, n.Phase, n.Confidence, n.What, n.Remedies(), n.Answers})
	}
	return documents
}
