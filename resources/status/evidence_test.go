package status_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/status"
)

const checkpointLog = `{"time":"2026-05-20T10:00:00Z","tool":"write","filesModified":["src/b.go","src/a.go"]}
{"time":"2026-05-20T11:00:00Z","tool":"shell","command":"go  test ./...","succeeded":false}

{"time":"2026-05-20T10:30:00Z","tool":"shell","command":"go test ./...","succeeded":true}
{"time":"2026-05-20T10:45:00Z","tool":"edit","filesModified":["src/a.go"]}
`

func TestReadEvidence(t *testing.T) {
	s, problems := status.ReadEvidence([]byte(checkpointLog))
	assert.Empty(t, problems)
	assert.Equal(t, 4, s.Count)
	assert.Equal(t, []string{"src/a.go", "src/b.go"}, s.Files)
	assert.Equal(t, []status.Command{{Line: "go test ./...", Succeeded: true, Time: time.Date(2026, 5, 20, 10, 30, 0, 0, time.UTC)}}, s.Commands)
	assert.Equal(t, time.Date(2026, 5, 20, 11, 0, 0, 0, time.UTC), s.Newest)
	assert.Len(t, s.Last, 4)
	assert.Equal(t, "edit", s.Last[3].Tool)

	s, _ = status.ReadEvidence([]byte(strings.Repeat(checkpointLog, 3)))
	assert.Equal(t, 12, s.Count)
	assert.Len(t, s.Last, status.LastCheckpoints)
}

func TestReadEvidenceDamaged(t *testing.T) {
	for _, test := range []struct {
		name, log string
		count     int
		lines     []int // of problems
	}{
		{"empty", "", 0, nil},
		{"torn at the end", checkpointLog + `{"time":"2026-`, 4, []int{6}},
		{"torn in the middle", `{"time":"2026-` + checkpointLog, 3, []int{1}},
		{"no checkpoint", "{}\n[1]\n\"x\"\nnull\n" + checkpointLog, 4, []int{1, 2, 3, 4}},
		{"NUL and bad UTF-8", "\x00\xff\n" + checkpointLog, 4, []int{1}},
		{"CRLF", strings.ReplaceAll(checkpointLog, "\n", "\r\n"), 4, nil},
		{"no last line break", strings.TrimSpace(checkpointLog), 4, nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			s, problems := status.ReadEvidence([]byte(test.log))
			assert.Equal(t, test.count, s.Count)
			var lines []int
			for _, p := range problems {
				lines = append(lines, p.Line)
				assert.NotEmpty(t, p.Remedy)
			}
			assert.Equal(t, test.lines, lines)
		})
	}
	_, problems := status.ReadEvidence([]byte(strings.Repeat("junk\n", 10_000)))
	assert.Len(t, problems, status.MaxLogProblems)
}

func TestEvidenceSeen(t *testing.T) {
	s, _ := status.ReadEvidence([]byte(checkpointLog + `{"tool":"shell","command":"make release","succeeded":false}` + "\n" + `{"tool":"shell","command":"make docs"}
{"tool":"shell","command":"make all","succeeded":true}
{"tool":"shell","command":"make all","succeeded":false}
{"tool":"shell","command":"make all"}
{"tool":"shell","command":"go test -run \"A b\"","succeeded":true}
{"tool":"shell","command":"make lint","succeeded":false}
{"time":"2026-05-20T11:00:00Z","tool":"shell","command":"make lint","succeeded":true}`))
	for _, test := range []struct {
		item resources.EvidenceItem
		want bool
	}{
		{resources.EvidenceItem{File: "src/*.go"}, true},
		{resources.EvidenceItem{File: "docs/**"}, false},
		{resources.EvidenceItem{Command: "go test"}, true},
		{resources.EvidenceItem{Command: "go test ./... -run NoSuch"}, false},
		{resources.EvidenceItem{Command: "go   test ./..."}, true},
		{resources.EvidenceItem{Command: "go tes"}, false},
		{resources.EvidenceItem{Command: "go test ./...", Succeeds: true}, true},
		{resources.EvidenceItem{Command: "go test -run 'A b'", Succeeds: true}, true},
		{resources.EvidenceItem{Command: "make", Succeeds: true}, true}, // the newest run that starts with it
		{resources.EvidenceItem{Command: "make all"}, true},
		{resources.EvidenceItem{Command: "make all", Succeeds: true}, false}, // the newest run decides
		{resources.EvidenceItem{Command: "make lint", Succeeds: true}, true},
		{resources.EvidenceItem{Command: "make release"}, true},
		{resources.EvidenceItem{Command: "make release", Succeeds: true}, false},
		{resources.EvidenceItem{Command: "make docs", Succeeds: true}, false},
		{resources.EvidenceItem{}, false},
	} {
		assert.Equal(t, test.want, status.EvidenceSeen(test.item, s), test.item.String())
	}
	assert.False(t, status.EvidenceSeen(resources.EvidenceItem{File: "**"}, nil))
}

// A failed run withdraws what a run before it verified, until the task is completed.
func TestAFailedRunWithdrawsEvidence(t *testing.T) {
	item := resources.EvidenceItem{Command: "go test ./...", Succeeds: true}
	task := &resources.Task{Spec: resources.TaskSpec{State: resources.TaskActive, Evidence: []resources.EvidenceItem{item}, Result: &resources.TaskResult{Verified: []resources.EvidenceItem{item}}}}
	failed, _ := status.ReadEvidence([]byte(`{"tool":"run","command":"go test ./...","succeeded":false}`))
	assert.Empty(t, status.MissingEvidence(task, nil))
	assert.Equal(t, []resources.EvidenceItem{item}, status.MissingEvidence(task, failed))
	task.Spec.State = resources.TaskCompleted
	assert.Empty(t, status.MissingEvidence(task, failed))
	assert.Empty(t, status.NotFailed(task.Spec.Result.Verified, failed))
}

func FuzzReadEvidence(f *testing.F) {
	f.Add([]byte(checkpointLog))
	f.Add([]byte("{\n}\n[]"))
	f.Fuzz(func(t *testing.T, data []byte) {
		s, problems := status.ReadEvidence(data)
		if s == nil || len(s.Last) > s.Count || len(s.Last) > status.LastCheckpoints || len(problems) > status.MaxLogProblems {
			t.Fatalf("%+v %v", s, problems)
		}
	})
}

func TestALogThatGoesOn(t *testing.T) {
	whole, _ := status.ReadEvidence([]byte(checkpointLog + checkpointLog))
	for at := range len(checkpointLog) {
		if checkpointLog[at] != '\n' {
			continue
		}
		begun, _ := status.ReadEvidence([]byte(checkpointLog[:at+1]))
		before, _ := status.ReadEvidence([]byte(checkpointLog[:at+1]))
		goneOn, problems := begun.Then([]byte(checkpointLog[at+1:] + checkpointLog))
		assert.Empty(t, problems)
		assert.Equal(t, whole, goneOn)
		assert.Equal(t, before, begun, "it stays as it is")
	}
}
