package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/cmd/internal/kubectl/terminal"
	"github.com/idumb-dev/idumb/controller/store"
	"github.com/idumb-dev/idumb/controller/sync/exchange"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/apierrors"
)

// editConflict opens a merged object in the editor, with the values of both sides above it. It reports
// whether the user changed it; without a change the conflict remains.
func (a *app) editConflict(ctx context.Context, key resources.Key, marks []exchange.Mark) (changed bool, err error) {
	if i := slices.IndexFunc(marks, func(m exchange.Mark) bool { return m.Incoming() }); i >= 0 {
		return false, fmt.Errorf("%s was not taken from the team (%s), which no edit here changes; the mark goes once it can be", shortName(key), terminal.EscapeLine(marks[i].Reason))
	}
	w := writeFlags{dryRun: "none"}
	repo, err := a.writer(&w)
	if err != nil {
		return false, err
	}
	record, err := repo.Record(ctx, key)
	if ours := marks[len(marks)-1].Ours; apierrors.IsNotFound(err) { // the team archived it: restore the local version
		if record, err = (store.Record{Key: key, Spec: []byte(ours)}), nil; ours == "" {
			err = nothingKept(key)
		}
	}
	if err != nil {
		return false, err
	}
	text := editable(record, "yaml")
	for _, m := range marks {
		text.Header = append(text.Header, conflictLines(m)...)
	}
	return a.editRecord(ctx, repo, &w, record, text)
}

// conflictLines returns the lines with the values of both sides. They contain untrusted text.
func conflictLines(m exchange.Mark) (lines []string) {
	theirs := "theirs"
	if m.Author != "" {
		theirs += ", by " + m.Author
	}
	lines = append(lines, m.Reason)
	for _, c := range m.Fields {
		lines = append(lines, c.Field, "  it was: "+inline(c.Base), "  yours: "+inline(c.Ours), "  "+theirs+": "+inline(c.Theirs))
	}
	if len(m.Fields) == 0 && m.Ours != "" {
		lines = append(lines, "yours, all of it:")
		for line := range strings.Lines(m.Ours) {
			lines = append(lines, "  "+strings.TrimRight(line, "\r\n"))
		}
	}
	for i, line := range lines {
		lines[i] = terminal.EscapeLine(line)
	}
	return lines
}

// inline returns a value on one line, null if it is empty.
func inline(value json.RawMessage) string {
	var line bytes.Buffer
	if json.Compact(&line, value) != nil {
		return "null"
	}
	return line.String()
}
