package queries

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"
	"time"

	"github.com/idumb-dev/idumb/controller/store/githistory"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/memory"
	sources "github.com/idumb-dev/idumb/resources/source"
)

// Difference is a difference between cited text at the time of citation and
// now.
type Difference struct {
	Cites string   `json:"cites"` // citation in its usual form: docs/auth.md#Tokens
	Text  string   `json:"what"`  // description of the change
	Lines []string `json:"lines"` // old lines with the prefix "- " and new lines with "+ ", from the first to the last difference; a sentence if not available
}

const (
	// maxLines is the maximum number of lines of each side.
	maxLines = 40
	// gitTimeout is the timeout of git for reading old versions.
	gitTimeout = 3 * time.Second
)

// differencesOf returns the differences of evidence that changed or was
// removed. It searches the commits of the file for the old text with the
// recorded hash.
func differencesOf(s *Source, evidence []resources.MemEvidence) (all []Difference) {
	ctx, end := context.WithTimeout(context.Background(), gitTimeout)
	defer end()
	for _, e := range evidence {
		if e.Path == "" || e.SHA256 == "" {
			continue
		}
		seen := memory.Look(e, s)
		if seen.Exists && !seen.Changed {
			continue
		}
		d := Difference{Cites: e.Cites(), Text: seen.Describe(e)}
		then, known := citedLines(ctx, s, e)
		switch text, _ := s.Root.SourceText(seen.Now.Path); {
		case !known:
			d.Lines = []string{"no commit contains the recorded version"}
		case seen.Exists:
			d.Lines = changedLines(then, sources.Lines(seen.Now.Path, e.Section, text))
		default:
			d.Lines = changedLines(then, nil)
		}
		all = append(all, d)
	}
	return all
}

// citedLines returns the cited lines as they were when their hash was recorded.
// known is false if no version in Git has that hash.
func citedLines(ctx context.Context, s *Source, e resources.MemEvidence) (lines []string, known bool) {
	for data := range githistory.Versions(ctx, s.Root, e.Path) {
		sum := sha256.Sum256(data)
		part := resources.Part{SHA256: hex.EncodeToString(sum[:])}
		if e.Section != "" {
			part = sources.Find(e.Path, e.Section, data)
		}
		if part.Is(e.SHA256) {
			return sources.Lines(e.Path, e.Section, data), true
		}
	}
	return nil, false
}

// changedLines returns the lines between the common prefix and the common suffix,
// without blank lines.
func changedLines(then, now []string) []string {
	for len(then) > 0 && len(now) > 0 && then[0] == now[0] {
		then, now = then[1:], now[1:]
	}
	for len(then) > 0 && len(now) > 0 && then[len(then)-1] == now[len(now)-1] {
		then, now = then[:len(then)-1], now[:len(now)-1]
	}
	return append(prefixed("- ", then), prefixed("+ ", now)...)
}

// prefixed returns the lines with a prefix, maxLines at most.
func prefixed(mark string, lines []string) (all []string) {
	for _, line := range lines {
		if strings.TrimSpace(line) != "" {
			all = append(all, mark+strings.ReplaceAll(line, "\t", "  "))
		}
	}
	if more := len(all) - maxLines; more > 0 {
		all = append(all[:maxLines], fmt.Sprintf("and %d lines more", more))
	}
	return all
}
