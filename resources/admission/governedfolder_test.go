package admission

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// A write into a misspelt directory of objects names the directory that is read.
func TestMisspeltFolder(t *testing.T) {
	for file, want := range map[string]string{
		".idumb/task/a.json":       "Write .idumb/tasks/a.json: iDumb does not read .idumb/task.",
		".idumb/wokplans/p.json":   "Write .idumb/workplans/p.json: iDumb does not read .idumb/wokplans.",
		".idumb/role/a.json":       "Leave the file unchanged; ask the user to make the change if it is needed.",
		".idumb/elsewhere/a.json":  "Leave the file unchanged; ask the user to make the change if it is needed.",
		".idumb/task/more/a.json":  "Leave the file unchanged; ask the user to make the change if it is needed.",
		".idumb/task/a.json.draft": "Leave the file unchanged; ask the user to make the change if it is needed.",
	} {
		r := Decide(write(file), newWorld()).Reason
		assert.Equal(t, "governed-path", r.Rule, file)
		assert.Equal(t, want, r.UseInstead, file)
	}
}
