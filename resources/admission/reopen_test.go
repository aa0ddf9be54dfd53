package admission

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/idumb-dev/idumb/resources"
)

// A failed task is started again; one that is over has to be planned anew first.
func TestReopen(t *testing.T) {
	task := &resources.Task{}
	task.Metadata.Name = "a"
	for state, step := range map[string]string{
		resources.TaskFailed:    "idumb start a",
		resources.TaskCompleted: `idumb patch task a -p '{"spec":{"state":"planned","reason":null}}'`,
		resources.TaskAbandoned: `idumb patch task a -p '{"spec":{"state":"planned","reason":null}}'`,
	} {
		task.Spec.State = state
		assert.Equal(t, "to do it again: "+step, Reopen(task), state)
	}
}
