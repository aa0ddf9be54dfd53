package main

import (
	"os"
	"path/filepath"
	"strings"

	"github.com/idumb-dev/idumb/hack/e2e/agents/model"
)

// researched tests that an agent can start a headless child agent that researches a question. The
// child has no shell. Its last answer becomes a mem of the task, and the agent receives it with its
// next prompt.
func researched(s *stage) {
	workPlan(s)
	s.idumb("start", "dig")
	s.must(os.Symlink(s.place.Binary, s.program(s.host)))
	own := filepath.Join(s.place.Home, ".config", "idumb")
	s.must(os.MkdirAll(own, 0o700))
	s.must(os.WriteFile(filepath.Join(own, "config.json"), []byte(`{"research": {"hosts": ["`+s.host+`"], "perDay": 2}}`), 0o600))
	const question = "Where does the water come from?"
	ended := newMeeting(2)
	child := model.Lane{Name: "child", Match: func(r *model.Request) bool { return strings.Contains(r.First(), "You research one question") }, Steps: []model.Step{
		model.Use(s.Shell("echo sneaked > sneaked.txt")).Looking(wantTexts(question)),
		model.Say("I looked.\nFINDING: from the well, map.txt:3").Wanting("No such tool available").Doing(ended.wait),
	}}
	s.prompt("dig the bed", child, model.Lane{Name: "main", Steps: []model.Step{
		model.Use(s.Own("govern_delegate", map[string]any{"action": "research", "task": "dig", "question": question})),
		model.Say("I go on.").Wanting(`"status":"success"`).Doing(ended.wait),
	}})
	s.wantNoFile("sneaked.txt")
	s.idumb("wait", "delegation", "--all", "--for=jsonpath={.spec.state}=done", "--timeout=30s")
	mems := s.idumb("get", "mems", "-o", "yaml")
	s.check(strings.Contains(mems, "from the well, map.txt:3") && strings.Contains(mems, "originTask: dig"), "the finding is not a mem of the task: %s", mems)
}
