package soak

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
)

// size is how much is played.
type size struct {
	sessions, calls int
	program         string // the built hook
}

// difference is a call that the gate answered in another way than the model.
type difference struct {
	Call        int
	Session     string
	Agent       string
	Input       string
	Want, Got   string
	Reason      string
	WorldAsJSON string
}

// tally is what came of a run.
type tally struct {
	calls       int
	answers     map[string]int
	against     map[string]int // by what spoke against a call
	differences []difference
}

// game is one run: the world, its files, and who acts in it.
type game struct {
	size
	r          *rand.Rand
	w          *world
	root, home string
	agents     []string // of each session
	tally
}

// play plays a run in a folder of its own, the same one for the same seed.
func play(dir string, seed uint64, s size) (tally, error) {
	g := &game{
		size: s, r: rand.New(rand.NewPCG(seed, 0)), root: filepath.Join(dir, "repo"), home: filepath.Join(dir, "home"),
		tally: tally{answers: map[string]int{}},
	}
	for _, folder := range []string{"repo/.git", "repo/src/deep", "repo/docs", "repo/tests", "home"} {
		if err := os.MkdirAll(filepath.Join(dir, filepath.FromSlash(folder)), 0o755); err != nil {
			return g.tally, err
		}
	}
	g.w = newWorld(g.r)
	g.against = g.w.against
	for i := range s.sessions {
		g.agents = append(g.agents, agents[i%len(agents)])
	}
	for g.tally.calls < s.sessions*s.calls {
		if err := g.step(); err != nil {
			return g.tally, err
		}
	}
	return g.tally, nil
}

// step lets something happen to the world, and then one session make one call.
func (g *game) step() error {
	if g.r.IntN(4) == 0 {
		g.w.change(g.r)
	}
	g.w.trusted = g.r.IntN(10) > 0
	i := g.r.IntN(g.sessions)
	if g.r.IntN(60) == 0 {
		g.agents[i] = pick(g.r, agents[:]...)
		delete(g.w.on, session(i)) // another conversation, under the same name
		delete(g.w.known, session(i))
	}
	if err := g.w.write(g.root); err != nil {
		return err
	}
	if g.r.IntN(8) == 0 {
		return g.begin(i)
	}
	return g.ask(i)
}

func session(i int) string { return fmt.Sprintf("s%d", i) }

// begin lets a session run idumb start, which puts it on a task that is active then.
func (g *game) begin(i int) error {
	name := taskNames[g.r.IntN(len(taskNames))]
	out, err := g.send(i, "PostToolUse", "Bash", map[string]any{"command": "idumb start " + name})
	if said, _ := decision(out); err != nil || said != "" { // a session's first event brings it the context
		return fmt.Errorf("after idumb start: %s %w", out, err)
	}
	if g.w.tasks[name].state == "active" && !g.w.owned(name, session(i)) {
		g.w.on[session(i)], g.w.known[session(i)], g.w.owners[name] = name, true, session(i)
	}
	return nil
}

// ask lets a session make a call, and holds the answer against the model's.
func (g *game) ask(i int) error {
	c, args := randomCall(g.r, g.root)
	g.tally.calls++
	before, err := json.Marshal(g.w.shown())
	if err != nil {
		return err
	}
	want := g.w.answer(session(i), g.agents[i], c)
	out, err := g.send(i, "PreToolUse", c.tool, args)
	if err != nil {
		return err
	}
	got, reason := decision(out)
	g.answers[want]++
	if got != want {
		input, _ := json.Marshal(args)
		g.differences = append(g.differences, difference{
			Call: g.tally.calls, Session: session(i), Agent: g.agents[i], Input: c.tool + " " + string(input), Want: want, Got: got, Reason: reason, WorldAsJSON: string(before),
		})
	}
	return nil
}

// shown is the world for whoever looks into a difference.
func (w *world) shown() map[string]any {
	tasks := map[string]any{}
	for name, t := range w.tasks {
		tasks[name] = t.spec()
	}
	return map[string]any{"mode": w.mode, "trusted": w.trusted, "requirePlan": w.requirePlan, "unknownLeast": w.unknownLeast, "defaultRole": w.defaultRole, "plans": w.plans, "on": w.on, "owners": w.owners, "known": w.known, "tasks": tasks}
}

// send gives the hook an event, as Claude Code does.
func (g *game) send(i int, event, tool string, args map[string]any) ([]byte, error) {
	input, err := json.Marshal(map[string]any{
		"session_id": session(i), "cwd": g.root, "hook_event_name": event, "agent_type": g.agents[i],
		"tool_name": tool, "tool_use_id": fmt.Sprintf("toolu_%d", g.tally.calls), "tool_input": args,
	})
	if err != nil {
		return nil, err
	}
	env := []string{"CLAUDE_PROJECT_DIR=" + g.root, "HOME=" + g.home, "IDUMB_AUTOSTART=off"}
	if g.w.trusted {
		env = append(env, "IDUMB_TRUST="+g.root)
	}
	var out, complaint bytes.Buffer
	cmd := exec.Command(g.program, "claude")
	cmd.Dir, cmd.Env, cmd.Stdin, cmd.Stdout, cmd.Stderr = g.root, env, bytes.NewReader(input), &out, &complaint
	if err := cmd.Run(); err != nil || complaint.Len() > 0 {
		return nil, fmt.Errorf("the hook failed on %s: %w: %s", input, err, complaint.Bytes())
	}
	return out.Bytes(), nil
}

// decision is what the hook's answer says to the client.
func decision(out []byte) (decision, reason string) {
	var a struct {
		Specific struct {
			PermissionDecision, PermissionDecisionReason string
		} `json:"hookSpecificOutput"`
	}
	if len(out) > 0 && json.Unmarshal(out, &a) != nil {
		return "unreadable", string(out)
	}
	return a.Specific.PermissionDecision, a.Specific.PermissionDecisionReason
}
