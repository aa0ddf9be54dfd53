package packer

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/idumb-dev/idumb/resources"
)

// While a task is active a pack lists the three best next tasks, and otherwise all.
func TestNextIsShortWhileATaskIsActive(t *testing.T) {
	in := Input{Plan: &Plan{Object: resources.New[*resources.WorkPlan](resources.WorkPlans, "p")}}
	for i := range 6 {
		task := Task{Object: resources.New[*resources.Task](resources.Tasks, fmt.Sprintf("t%d", i))}
		task.Object.Spec.WorkPlan, task.Status.Phase = "p", resources.TaskPlanned
		in.Tasks = append(in.Tasks, task)
		in.Plan.Status.Next = append(in.Plan.Status.Next, task.Object.Metadata.Name)
	}
	next := func() int {
		_, list, _ := strings.Cut(string(Build(in).Bytes), "<next>\n")
		list, _, _ = strings.Cut(list, "</next>")
		return strings.Count(list, "\n")
	}
	assert.Equal(t, 6, next())
	in.Tasks[0].Status.Phase, in.Active = resources.TaskActive, []string{"t0"}
	assert.Equal(t, 3, next())
}

// An update does not report as ended the next tasks that a pack no longer lists because a task is active.
func TestNextTasksThatAreNotListedHaveNotEnded(t *testing.T) {
	pack := func(next int, active string) []byte {
		text := "<next>\n"
		for i := range next {
			text += fmt.Sprintf("- t%d\n", i)
		}
		return []byte(opening + "<plan>\nPlan p [active]: P\n" + text + "</next>\n</plan>\n<task>\n" + active + "</task>\n" + closing)
	}
	before := pack(6, noneActive+"\n")
	after := pack(3, "<active_task id=\"x\">\nTitle: X [active], plan p\n</active_task>\n")
	update := Update(before, after, nil)
	assert.Contains(t, update, "Title: X")
	assert.NotContains(t, update, "<ended>", update)
}
