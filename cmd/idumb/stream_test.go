//go:build linux

package main

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/idumb-dev/idumb/cmd/internal/kubectl/terminal"
)

// running runs a command line until the test, or what it returns, ends it.
func (s *stage) running(line string) (out, notices *screen, end func() int) {
	ctx, interrupt := context.WithCancel(s.t.Context())
	out, notices = &screen{}, &screen{}
	code := make(chan int, 1)
	go func() {
		code <- run(ctx, append([]string{"-C", s.root}, strings.Fields(line)...), strings.NewReader(""), out, notices)
	}()
	s.t.Cleanup(interrupt)
	return out, notices, func() int { interrupt(); return <-code }
}

func (s *stage) task(name, spec string) {
	s.write(".idumb/tasks/"+name+".json", fmt.Appendf(nil, `{"spec": {"workPlan": "accounts", "expectedOutput": "x"%s}}`, spec))
}

// get -w follows the controller's stream, goes on with the files when that ends, and with the
// next controller's; what did not change meanwhile is not shown again.
func TestWatchFollowsTheController(t *testing.T) {
	s := newStage(t)
	s.start()
	s.settle()
	out, notices, end := s.running("get tasks -w --output-watch-events")
	out.shows(t, `^EVENT +NAME +PLAN +PHASE +PRIORITY +AGE$`)
	out.shows(t, `^ADDED +db-schema +accounts +active `)
	before := out.text()
	for i := range 50 {
		s.task("new", fmt.Sprintf(`, "title": "%d"`, i))
		s.task(fmt.Sprint("many-", i), "")
	}
	out.shows(t, `^ADDED +many-49 +accounts +planned `)
	out.shows(t, ` new +accounts +planned `)
	s.task("new", `, "dependsOn": ["many-1"]`)
	out.shows(t, `^(ADDED|MODIFIED) +new +accounts +blocked `) // added, where all of its edits came as one
	for i := range 50 {
		assert.Equal(t, 1, strings.Count(out.text(), fmt.Sprintf(" many-%d ", i)), "once, with its phase: many-%d\n%s", i, out.text())
	}
	assert.NotContains(t, out.text()[len(before):], "<none>   planned")
	assert.Empty(t, notices.text())

	s.run("controller stop")
	notices.shows(t, `^Warning: the controller stopped; watching the files`)
	s.task("late", "")
	out.shows(t, `^ADDED +late +accounts +planned `)
	s.start()
	s.task("later", "")
	out.shows(t, `^ADDED +later +accounts +planned `)
	assert.Equal(t, 1, strings.Count(out.text(), " login-form "), "nothing happened to it\n%s", out.text())
	assert.Equal(t, terminal.Interrupted, end())
}

func TestWatchOfObjectsFollowsTheController(t *testing.T) {
	s := newStage(t)
	s.start()
	s.settle()
	out, _, _ := s.running("get task login-form -o jsonpath={.status.phase}/{.spec.title}: -w --watch-only")
	names, _, _ := s.running("get tasks -w -o name -l area=web")
	names.shows(t, `^task.idumb.dev/login-form$`)
	events, _, _ := s.running("get task login-form -w -o json --output-watch-events")
	events.shows(t, `"type": "ADDED"`)
	s.task("login-form", `, "title": "A", "dependsOn": ["db-schema"]`)
	out.shows(t, `blocked/A:`)
	s.task("login-form", `, "title": "B"`)
	out.shows(t, `planned/B:`)
	events.shows(t, `"type": "MODIFIED"`)
	assert.Equal(t, "blocked/A:planned/B:", out.text())
	assert.Equal(t, 2, strings.Count(names.text(), "login-form"), "it was added, and left when it lost its label")
}

func TestWaitFollowsTheController(t *testing.T) {
	s := newStage(t)
	s.start()
	s.settle()
	s.task("first", "")
	s.task("second", `, "dependsOn": ["first"]`)
	assert.Contains(t, s.run("wait task/second --for=phase=blocked --timeout=0"), "task.idumb.dev/second condition met")
	assert.Contains(t, s.run("wait task/ghost --for=phase=blocked"), `Error (NotFound): tasks.idumb.dev "ghost" not found`)
	assert.Contains(t, s.run("wait tasks -l area=none --for=delete"), "no matching resources found")
	assert.Contains(t, s.run("wait tasks/second --for=condition=Ready --timeout=100ms"), "timed out waiting for the condition on tasks/second")
	out, notices, _ := s.running("wait task/second workplan/accounts task/made --for=jsonpath={.spec.title}=T --timeout=1m")
	both, _, _ := s.running("wait task/second task/made --for=create --timeout=1m")
	both.shows(t, `^task.idumb.dev/second condition met$`)
	notices.shows(t, `tasks.idumb.dev "made" not found`)
	assert.Empty(t, out.text())
	s.task("made", "")
	both.shows(t, `^task.idumb.dev/made condition met$`)
	ready, _, _ := s.running("wait task/second --for=condition=Ready --timeout=1m")
	gone, said, _ := s.running("wait task/first --for=delete --timeout=1m")
	s.task("second", "")
	ready.shows(t, `^task.idumb.dev/second condition met$`)
	s.run("controller stop")
	said.shows(t, `^Warning: the controller stopped`)
	s.run("delete task first --force")
	gone.shows(t, `^task.idumb.dev/first condition met$`)
}
