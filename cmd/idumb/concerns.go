package main

import (
	"fmt"

	"github.com/idumb-dev/idumb/cmd/internal/kubectl/printers"
	"github.com/idumb-dev/idumb/cmd/internal/kubectl/terminal"
	"github.com/idumb-dev/idumb/controller/serve/queries"
	"github.com/idumb-dev/idumb/resources"
)

// wideHeaders is the usage of --no-headers for verbs with a table only for -o wide.
const wideHeaders = "with -o wide: omit the column headers"

// printConcerns prints the items of idumb review, in any output format.
func (a *app) printConcerns(p *printers.Printer, all []queries.ReviewItem) error {
	if p.Format.NeedsDocument() {
		return p.PrintItems(a.stdout, items(concernDocuments(all)))
	}
	table := recordTable[queries.ReviewItem]{
		headers: []string{"NAME", "REASON", "PHASE", "CONFIDENCE", "WHAT", "DO"}, always: 6, nothing: "No resources found",
		row: func(n queries.ReviewItem) []string {
			return []string{n.Name(), n.Reason, n.Phase, confidenceOf(&n, ""), n.What, n.Remedies()}
		},
		name: func(n queries.ReviewItem) string { return terminal.EscapeLine(qualified(n.Key)) },
		text: func(n queries.ReviewItem) string {
			text := terminal.EscapeLine(qualified(n.Key)) + "  " + n.Reason + confidenceOf(&n, "  confidence ") + indented(n.What)
			for _, answer := range n.Answers {
				text += indented(answer.Word + ": " + answer.Do)
			}
			if len(n.Answers) == 0 {
				text += indented(n.Remedies())
			}
			return text
		},
	}
	return table.print(a, p, all)
}

// confidenceOf returns a text with the confidence of a mem, empty for other kinds.
func confidenceOf(n *queries.ReviewItem, before string) string {
	if n.Key.Kind != resources.Mems || n.Phase == resources.PhaseInvalid {
		return ""
	}
	return before + fmt.Sprint(n.Confidence)
}

// concernDocument is a review item in the form of -o json.
type concernDocument struct {
	Name        string               `json:"name"`
	Reason      string               `json:"reason"`
	Phase       string               `json:"phase"`
	Confidence  int                  `json:"confidence,omitempty"`
	Description string               `json:"what"`
	Remedy      string               `json:"remedy"`
	Answers     []queries.Resolution `json:"answers,omitempty"`
}

// concernDocuments converts the items of idumb review to the documents that -o json prints.
func concernDocuments(all []queries.ReviewItem) []concernDocument {
	documents := make([]concernDocument, 0, len(all))
	for i := range all {
		n := &all[i]
		documents = append(documents, concernDocument{n.Name(), n.Reason, n.Phase, n.Confidence, n.What, n.Remedies(), n.Answers})
	}
	return documents
}
