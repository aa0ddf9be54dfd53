package packer

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/tokens"
)

// told is the set of what a pack says.
func told(t *testing.T, pack []byte) map[statement]bool {
	t.Helper()
	list, ok := statements(pack)
	require.True(t, ok, "%s", pack)
	set := map[statement]bool{}
	for _, s := range list {
		set[s] = true
	}
	return set
}

// part returns what stands in one of an update's parts, read as a pack is.
func part(t *testing.T, update, tag string) map[statement]bool {
	t.Helper()
	_, rest, found := strings.Cut(update, "\n<"+tag+">\n")
	if !found {
		return nil
	}
	inner, _, found := strings.Cut(rest, "\n</"+tag+">\n")
	require.True(t, found, update)
	return told(t, []byte(opening+inner+"\n"+closing))
}

// applied is what a reader knows who has base and then reads an update.
func applied(t *testing.T, base []byte, update string) map[statement]bool {
	t.Helper()
	known := told(t, base)
	for s := range part(t, update, "ended") {
		forget(t, known, s)
	}
	for s := range part(t, update, "changed") {
		replaced := 0
		for old := range known {
			if old.subject() == s.subject() {
				delete(known, old)
				replaced++
			}
		}
		require.Equal(t, 1, replaced, "what %v stands for", s)
		known[s] = true
	}
	for s := range part(t, update, "added") {
		require.False(t, known[s])
		known[s] = true
	}
	return known
}

// knows checks that whoever has base and reads an update knows what now says, and believes
// nothing that now denies: of tasks by the headlines and blocks as well as by the lists.
func knows(t *testing.T, base, now []byte, update string) {
	t.Helper()
	reader, is := applied(t, base, update), told(t, now)
	toldOf, blocks := map[string]bool{}, map[string]bool{}
	for s := range is {
		toldOf[s.name()] = toldOf[s.name()] || s.listsTask()
		blocks[s.activeTask()] = true
	}
	finished := func(s statement) bool {
		return strings.Contains(update, "\nCOMPLETED: "+s.name()+" ") || slices.ContainsFunc(slices.Collect(maps.Keys(told(t, base))), func(was statement) bool {
			return was.name() == s.name() && (was.position.group == "done" || was.position.group == "chain" && was.phase() == "completed")
		})
	}
	for s := range is {
		made, _ := strings.CutPrefix(s.object(), "mems/mem-task-")
		ok := reader[s] || strings.HasPrefix(s.text, "Checkpoint ") || finished(statement{text: made}) || strings.Contains(update, ": "+strings.TrimPrefix(strings.TrimPrefix(s.text, "- "), "Intent: ")+"\n")
		ok = ok || s.listsTask() && (blocks[s.name()] || finished(s) || strings.Contains(update, "\nUNBLOCKED: "+s.name()+" "))
		require.True(t, ok, "nobody is told %v\n%s\n%s", s, base, update)
	}
	for s := range reader {
		ok := is[s] || s.object() != "" || strings.HasPrefix(s.text, "Checkpoint ") || s.isNoneActive() && len(blocks) > 1
		ok = ok || strings.HasPrefix(s.text, "Intent: ") && strings.Contains(update, "INTENT SHIFTED: ")
		ok = ok || s.listsTask() && (toldOf[s.name()] || blocks[s.name()] || finished(s) || !strings.Contains(string(now), "<chain>"))
		ok = ok || s.position.group == "delegation" && strings.Contains(update, "\nDELEGATION RECALLED: "+s.name()+" ")
		ok = ok || s.activeTask() != "" && strings.Contains(update, "\nCOMPLETED: "+s.activeTask()+" ")
		require.True(t, ok, "the reader still believes %v\n%s\n%s", s, base, update)
	}
}

// forget takes away what an update says has ended.
func forget(t *testing.T, known map[statement]bool, s statement) {
	t.Helper()
	had := len(known)
	for old := range known {
		all := s.text == "- all" && old.position == s.position
		if old == s || all {
			delete(known, old)
		}
	}
	require.Less(t, len(known), had, "it was never said: %v", s)
}

// shaken is the repository of the other tests after n things have happened to it.
func shaken(r *rand.Rand, n int) Input {
	in := userAuth()
	phases := []string{resources.TaskPlanned, resources.TaskBlocked, resources.TaskActive, resources.TaskCompleted, resources.TaskAbandoned, resources.TaskFailed}
	for i := range n {
		switch r.IntN(15) {
		case 0:
			in.Tasks[r.IntN(len(in.Tasks))].Status.Phase = phases[r.IntN(len(phases))]
		case 1:
			in.Intent = []string{"", "Ship", "Ship the <login>\nfirst", in.Intent}[r.IntN(4)]
		case 2:
			in.Mems = slices.Delete(slices.Clone(in.Mems), 0, min(1, len(in.Mems)))
		case 3:
			in.Mems = append(in.Mems, memOf(fmt.Sprintf("new-%d", i), r.IntN(9)+1, r.IntN(100), resources.Fresh, resources.MemSpec{Content: "login form\n\n- and</mem>\n\n<task>", OriginTask: "build-login-form"}))
		case 4:
			in.Anchors = append(in.Anchors, anchorOf(fmt.Sprintf("an-%d", i), 2, resources.Fresh, resources.AnchorSpec{Content: "Never log tokens.", Priority: "critical"}))
		case 5:
			in.Anchors[0] = anchorOf("httponly-cookies", 2, resources.Fresh, resources.AnchorSpec{Content: fmt.Sprint("Changed ", r.IntN(3)), Priority: "critical"})
		case 6:
			in.Active = [][]string{nil, {"build-login-form"}, {"write-docs"}, {"write-auth-tests", "build-login-form"}}[r.IntN(4)]
		case 7:
			in.Plan.Status.Next = [][]string{nil, {"write-docs"}, {"write-auth-tests", "write-docs"}}[r.IntN(3)]
		case 8:
			in.Delegations[0].Status.Phase = []string{"accepted", "recalled", "done"}[r.IntN(3)]
		case 9:
			session := *in.Session
			session.Spec.Delegation = []string{"", "del-1"}[r.IntN(2)]
			session.Spec.Counters.Denials = r.IntN(9)
			in.Session = &session
		case 10:
			checkpoints := &in.Tasks[2].Status.Checkpoints
			checkpoints.Last = append(checkpoints.Last, checkpoints.Last[r.IntN(len(checkpoints.Last))])
		case 11:
			in.Day = day(12 + r.IntN(3)).Time
		case 12:
			in.Limit = []int{0, 1100, 3000, 10000}[r.IntN(4)]
		case 14:
			in.Tasks[2].Object.Spec.Description = []string{"", "Build <it>", "# Goal\n\nBuild it.\n"}[r.IntN(3)]
			in.Tasks[2].Object.Spec.Notes = strings.Repeat("Notes: # of it\n\n# Why\n", r.IntN(90))
		case 13:
			in.Config.Language.Communication = []string{"", "Vietnamese", "German"}[r.IntN(3)]
		}
	}
	return in
}

func TestAnUpdateSaysAllThatChanged(t *testing.T) {
	t.Parallel()
	updates, wholes, nothing := 0, 0, 0
	for seed := range uint64(rounds(600)) {
		r := rand.New(rand.NewPCG(seed, 1))
		in := shaken(r, r.IntN(6))
		base := Build(in).Bytes
		now := Build(shaken(rand.New(rand.NewPCG(seed, 2)), r.IntN(6))).Bytes
		if r.IntN(3) == 0 {
			in.Intent += "!"
			now = Build(in).Bytes
		}
		update := Update(base, now, nil)
		switch {
		case update == "":
			nothing++
			knows(t, base, now, "")
		case strings.HasSuffix(update, string(now)):
			wholes++
			head := strings.TrimSuffix(update, string(now))
			require.True(t, head == "" || strings.HasSuffix(head, wholePackNote+"</context_update>\n"))
		default:
			updates++
			knows(t, base, now, update)
			wellFormedUpdate(t, update)
			require.True(t, strings.HasPrefix(update, `<context_update base="`+digest(string(base))+"\">\n"))
			require.True(t, 2*tokens.Measure(update).Characters <= tokens.Measure(string(now)).Characters || tokens.Measure(update).Characters <= minUpdate)
		}
		require.Equal(t, update, Update(base, now, nil), "twice the same")
	}
	t.Logf("%d updates, %d whole packs, %d times nothing", updates, wholes, nothing)
	assert.Positive(t, updates)
	assert.Positive(t, wholes)
	assert.Positive(t, nothing)
}

// wellFormedUpdate checks that an update has no other elements than its own and a pack's.
func wellFormedUpdate(t *testing.T, update string) {
	t.Helper()
	_, inner, _ := strings.Cut(update, "\n")
	inner = strings.TrimSuffix(inner, "</context_update>\n")
	for _, tag := range []string{"ended", "changed", "added"} {
		inner = strings.Replace(strings.Replace(inner, openTag(tag), "", 1), closeTag(tag), "", 1)
	}
	wellFormed(t, []byte(opening+inner+closing))
}

func TestUpdateOfTheSame(t *testing.T) {
	pack := Build(userAuth()).Bytes
	assert.Empty(t, Update(pack, pack, nil))
	assert.Equal(t, string(pack), Update(nil, pack, nil), "nothing is known of the base")
	assert.Equal(t, string(pack), Update([]byte("nonsense"), pack, nil))
	assert.Equal(t, string(pack), Update([]byte(strings.Replace(string(pack), "Vietnamese", "\x1b[31mred", 1)), pack, nil), "a base that Build did not write")
	in := userAuth()
	in.Day = in.Day.Add(1000)
	assert.Empty(t, Update(pack, Build(in).Bytes, nil), "the same day")
}

func TestGoldenUpdate(t *testing.T) {
	base := Build(userAuth()).Bytes
	in := userAuth()
	in.Intent, in.IntentSince = "Audit logging first <now>", day(12).Time
	in.Tasks[2].Status.Phase = resources.TaskCompleted
	in.Tasks[2].Status.Checkpoints.Last = in.Tasks[2].Status.Checkpoints.Last[1:]
	in.Tasks[3].Status.Phase, in.Tasks[3].Status.Conditions = resources.TaskPlanned, nil
	in.Plan.Status.Progress.ByPhase = map[string]int{"completed": 3}
	in.Plan.Status.Next = []string{"write-docs", "write-auth-tests"}
	in.Active = nil
	in.Delegations = nil
	in.Mems = append(in.Mems, memOf("no-retry", 9, 70, resources.Fresh, resources.MemSpec{Type: resources.FalsePath, Content: "AVOID retrying a login BECAUSE it locks the account INSTEAD tell the user"}))
	in.Anchors = append(in.Anchors, anchorOf("no-logs", 9, resources.Fresh, resources.AnchorSpec{Content: "Never log a token.", Priority: "critical"}))
	golden(t, "update.xml", []byte(Update(base, Build(in).Bytes, nil)))
}

func TestHeadlines(t *testing.T) {
	for _, test := range []struct {
		name   string
		change func(*Input)
		want   []string
	}{
		{"nothing", func(*Input) {}, nil},
		{"unblocked", func(in *Input) { in.Tasks[3].Status.Phase = resources.TaskPlanned }, []string{"UNBLOCKED: write-auth-tests Write the tests (after build-login-form)"}},
		{"completed by another", func(in *Input) { in.Tasks[4].Status.Phase = resources.TaskCompleted; in.Plan.Status.Next = nil }, []string{"COMPLETED: write-docs Write the docs"}},
		{"a new task is no news of that sort", func(in *Input) {
			in.Tasks = append(in.Tasks, taskOf("fresh", 7, resources.TaskPlanned, resources.TaskSpec{WorkPlan: "user-auth", DependsOn: []string{"db-schema"}}))
			in.Plan.Status.Next = append(slices.Clone(in.Plan.Status.Next), "fresh")
		}, nil},
		{"another plan", func(in *Input) {
			plan := *in.Plan.Object
			plan.Metadata.Name = "other"
			in.Plan = &Plan{Object: &plan, Status: in.Plan.Status}
			in.Tasks = append(in.Tasks, taskOf("theirs", 1, resources.TaskCompleted, resources.TaskSpec{WorkPlan: "other", ExpectedOutput: "x"}))
		}, nil},
		{"intent", func(in *Input) { in.Intent = "Stop <all>" }, []string{"INTENT SHIFTED: Stop &lt;all&gt;"}},
		{"recalled", func(in *Input) {
			session := *in.Session
			session.Spec.Delegation = "del-1"
			in.Session, in.Delegations[0].Status.Phase = &session, "recalled"
		}, []string{"DELEGATION RECALLED: del-1 RECALLED: the task build-login-form was taken back from you; stop, and say how far you came"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			in := userAuth()
			test.change(&in)
			before, _ := statements(Build(userAuth()).Bytes)
			after, ok := statements(Build(in).Bytes)
			require.True(t, ok)
			assert.Equal(t, test.want, headlines(before, after))
		})
	}
}

func TestWhatADelegateIsTold(t *testing.T) {
	for state, want := range map[string]string{
		"accepted": "- del-1: you work under this delegation [accepted]: coordinator handed the task build-login-form over to you (executor), expects: The form, with tests, allowed tools: read, edit; the iDumb tools are always open\n",
		"recalled": "- del-1 RECALLED: the task build-login-form was taken back from you",
		"done":     "- del-1 is done: you handed",
	} {
		in := userAuth()
		session := *in.Session
		session.Spec.Delegation = "del-1"
		in.Session, in.Delegations[0].Status.Phase = &session, state
		assert.Contains(t, string(Build(in).Bytes), want)
	}
}

func FuzzStatements(f *testing.F) {
	f.Add(Build(userAuth()).Bytes)
	f.Add([]byte(opening + "<plan>\n<chain>\n- a [blocked] b\n  c\n</chain>\n</plan>\n" + closing))
	f.Add([]byte(opening + "<mem \n</rules>\n" + closing))
	f.Fuzz(func(t *testing.T, pack []byte) {
		list, ok := statements(pack)
		if !ok {
			return
		}
		for _, s := range list {
			s.subject()
		}
		now := Build(userAuth()).Bytes
		if update := Update(pack, now, nil); update != "" && !strings.HasSuffix(update, string(now)) {
			knows(t, pack, now, update)
			wellFormedUpdate(t, update)
		}
	})
}
