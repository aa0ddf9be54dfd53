package hooks

import (
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/controller/hooks/hosts"
	"github.com/idumb-dev/idumb/controller/store/layout"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/admission"
	"github.com/idumb-dev/idumb/resources/graph"
)

// sweep is that of a hook which begins now.
func (h *house) sweep() (*files, []specChange) {
	r := openPacking(h.root, nil, h.now)
	changes := r.sweep()
	return r.specs, changes
}

// afterATick lets the file system's clock go on, so that a change shows in a file's times.
func afterATick() { time.Sleep(150 * time.Millisecond) }

var taskA = resources.Key{Kind: resources.Tasks, Name: "a"}

// What the ledger has is not read again; what was read right after it changed is, for the next
// change need not show.
func TestTheLedgerServesWhatIsAsItWas(t *testing.T) {
	h := newHouse(t)
	specs, _ := h.sweep()
	assert.Empty(t, specs.text(taskA).stamp, "it was written just now")
	specs, _ = h.sweep()
	assert.Empty(t, specs.ledger().specs[taskA].stamp)
	afterATick()
	h.sweep()
	specs, changes := h.sweep()
	assert.Empty(t, changes)
	for key, text := range specs.planned {
		assert.Same(t, &specs.ledger().specs[key].text, text, key)
		assert.Equal(t, h.reads(key.String()+".json"), string(text.data))
	}
	o, state := specs.Get(taskA)
	assert.Equal(t, graph.Good, state)
	info, err := os.Stat(h.root.Abs(layout.Path(taskA)))
	require.NoError(t, err)
	assert.True(t, info.ModTime().Equal(o.Source().ModTime))
}

// An edit in place, of the same length and with the time of the file set back, is seen: right
// after a sweep as well as long after it.
func TestAnEditThatHidesIsSeen(t *testing.T) {
	for name, wait := range map[string]func(){"at once": func() {}, "later": afterATick} {
		t.Run(name, func(t *testing.T) {
			h := newHouse(t)
			wait()
			h.sweep()
			file := h.root.Abs(layout.Path(taskA))
			info, err := os.Stat(file)
			require.NoError(t, err)
			text := strings.Replace(h.reads("tasks/a.json"), `"active"`, `"failed"`, 1)
			require.NoError(t, os.WriteFile(file, []byte(text), 0o600))
			require.NoError(t, os.Chtimes(file, info.ModTime(), info.ModTime()))
			specs, changes := h.sweep()
			require.Len(t, changes, 1)
			assert.Equal(t, resources.TaskActive, changes[0].old.(*resources.Task).Spec.State)
			assert.Equal(t, resources.TaskFailed, changes[0].new.(*resources.Task).Spec.State)
			names, _ := specs.Mentioning(resources.Tasks, graph.Term{Index: graph.IndexState, Value: resources.TaskFailed})
			assert.Equal(t, []string{"a"}, names)
			_, changes = h.sweep()
			assert.Empty(t, changes, "it was told")
		})
	}
}

// A file that was only touched, or replaced by the same bytes, did not change.
func TestATouchIsNoChange(t *testing.T) {
	h := newHouse(t)
	afterATick()
	h.sweep()
	text := h.reads("tasks/a.json")
	require.NoError(t, os.Remove(h.root.Abs(layout.Path(taskA))))
	h.file("tasks/a", text)
	_, changes := h.sweep()
	assert.Empty(t, changes)
}

// Changes are added to the ledger, which does not grow for ever; all of them are in it.
func TestTheLedgerIsAddedTo(t *testing.T) {
	h := newHouse(t)
	afterATick()
	h.sweep()
	size := func() int64 {
		info, err := os.Stat(h.root.Abs(specsFile))
		require.NoError(t, err)
		return info.Size()
	}
	first := size()
	for i := range 40 {
		h.file("tasks/b", `{"spec": {"workPlan": "p", "expectedOutput": "`+strings.Repeat("o", i+1)+`"}}`)
		if i%3 == 0 {
			require.NoError(t, os.Remove(h.root.Abs(".idumb/tasks/b.json")))
		}
		specs, changes := h.sweep()
		require.NotEmpty(t, changes, i)
		assert.Less(t, size(), 3*first, i)
		again := readFiles(h.root)
		for key, text := range specs.planned {
			assert.Equal(t, string(text.data), string(again.ledger().specs[key].data), key)
		}
		assert.Equal(t, i%3 == 0, again.ledger().specs[resources.Key{Kind: resources.Tasks, Name: "b"}] == nil)
	}
}

// A ledger that was cut short, wherever, and added to after that, tells nothing that is not so.
func TestATornLedgerTellsNothing(t *testing.T) {
	h := newHouse(t)
	h.sweep()
	data, err := os.ReadFile(h.root.Abs(specsFile))
	require.NoError(t, err)
	whole := parseLedger(data, time.Now())
	require.Len(t, whole.specs, 4)
	_, last := parseSpec(data)
	for cut := range data {
		all := parseLedger(append(data[:cut:cut], data...), time.Now())
		for key, s := range all.specs {
			require.Equal(t, string(whole.specs[key].data), string(s.data), "%s, cut at %d", key, cut)
		}
		if cut > 0 && cut < last.size {
			require.True(t, all.scanned.IsZero(), cut)
		}
	}
	for _, text := range []string{"x", "\n", "0 a/b   9223372036854775807\n\n", "0 a/b   -9\n\n"} {
		assert.True(t, parseLedger([]byte(text), time.Now()).scanned.IsZero(), text)
	}
	require.NoError(t, os.WriteFile(h.root.Abs(specsFile), data[:len(data)-7], 0o600))
	_, changes := h.sweep()
	assert.Empty(t, changes, "nobody knows what changed")
	written, err := os.ReadFile(h.root.Abs(specsFile))
	require.NoError(t, err)
	assert.Len(t, parseLedger(written, time.Now()).specs, 4)
}

// Who reads, in a session that has a task, looks at no other.
func TestAReadLooksAtNoOtherTask(t *testing.T) {
	h := newHouse(t)
	h.file("sessions/s", `{"spec": {"activeTask": "a", "role": "executor"}}`)
	e := hosts.Event{Type: hosts.BeforeTool, Host: "claude", Session: "s", Cwd: string(h.root), Tool: "Read", Action: admission.Read, Paths: []string{"src/a.go"}}
	hook := &handler{repo: openPacking(h.root, nil, h.now), event: e, limit: 10000}
	require.Empty(t, hook.handle().Deny)
	assert.NotContains(t, hook.repo.specs.lists, resources.Tasks)
	assert.NotContains(t, hook.repo.specs.lists, resources.WorkPlans)
}

func TestNamesAreSorted(t *testing.T) {
	h := newHouse(t)
	h.file("tasks/a-b", `{"spec": {"workPlan": "p", "expectedOutput": "o"}}`)
	specs := readFiles(h.root)
	assert.Equal(t, []string{"a", "a-b", "b", "c"}, specs.Names(resources.Tasks))
	specs.readAll(resources.Tasks)
	for _, name := range specs.Names(resources.Tasks) {
		assert.NotNil(t, specs.text(resources.Key{Kind: resources.Tasks, Name: name}), name)
	}
}

// Whatever stands in the ledger's file, reading it comes to an end, and what was written is read.
func FuzzParseLedger(f *testing.F) {
	f.Add([]byte("0 tasks/a s 2\n{}\n"), "a", []byte("{}"))
	f.Add(appendSpec(nil, taskA, seenSpec{}), "b.c", []byte("\n\x00"))
	f.Fuzz(func(t *testing.T, data []byte, name string, spec []byte) {
		all := parseLedger(data, time.Unix(1, 0))
		require.LessOrEqual(t, all.stale, len(data))
		if resources.CheckName(name) != nil || spec == nil {
			return
		}
		key := resources.Key{Kind: resources.Tasks, Name: name}
		own := appendSpec(nil, key, seenSpec{text: text{data: spec, stamp: []byte("1/2/")}})
		got := parseLedger(own, time.Unix(1, 0)).specs[key]
		require.NotNil(t, got)
		require.Equal(t, spec, got.data)
		require.Empty(t, parseLedger(own[:len(own)-1], time.Unix(1, 0)).specs, "torn")
	})
}
