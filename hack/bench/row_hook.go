package main

import (
	"encoding/json"
	"fmt"

	"github.com/idumb-dev/idumb/hack/drive"
)

// measureHook times a whole decision: start, read the call on standard input,
// find the session's task, its plan and its role, answer. The floor is an empty
// Go program started in the same way.
func measureHook(b *bench) ([]Result, error) {
	var results []Result
	for _, withController := range []bool{true, false} {
		r, err := hookDecision(b, withController)
		if err != nil {
			return nil, err
		}
		results = append(results, r...)
	}
	return results, nil
}

func hookDecision(b *bench, withController bool) ([]Result, error) {
	repo, err := repoWithTasks(b, 50, independent)
	if err != nil {
		return nil, err
	}
	defer repo.Remove()
	if _, err := repo.Idumb("start", taskName(0)); err != nil {
		return nil, err
	}
	label := "without controller"
	if withController {
		label = "with controller"
		c, err := repo.StartController()
		if err != nil {
			return nil, err
		}
		defer c.Kill()
		if err := allStatuses(repo, 50); err != nil {
			return nil, err
		}
	}
	allowed, err := hookCall(b, repo, "src/a.go")
	if err != nil {
		return nil, err
	}
	denied, err := hookCall(b, repo, ".idumb/config.json")
	if err != nil {
		return nil, err
	}
	costs, err := interleave(b.size(200, 20), process{path: b.empty}, allowed, denied)
	if err != nil {
		return nil, err
	}
	return []Result{
		{What: "hook allows a write, " + label, Unit: "ms", Floor: ms(costs[0].wall), Ours: ms(costs[1].wall), Goal: "1.6x an empty program"},
		{What: "hook denies a write, " + label, Unit: "ms", Floor: ms(costs[0].wall), Ours: ms(costs[2].wall), Goal: "1.6x an empty program"},
	}, nil
}

// hookCall is Claude Code asking before a Write.
func hookCall(b *bench, repo *drive.Repo, file string) (process, error) {
	call, err := json.Marshal(map[string]any{
		"session_id": "3b0f7d3e-2f3b-4c9e-9f2c-6a8f7d1f0a11", "transcript_path": "", "cwd": repo.Dir,
		"hook_event_name": "PreToolUse", "tool_name": "Write", "tool_use_id": "toolu_1",
		"tool_input": map[string]any{"file_path": repo.Dir + "/" + file, "content": "package a\n"},
	})
	if err != nil {
		return process{}, fmt.Errorf("the hook's input: %w", err)
	}
	return process{path: b.bin.Path("idumb-hook"), args: []string{"claude"}, dir: repo.Dir, env: []string{"CLAUDE_PROJECT_DIR=" + repo.Dir}, stdin: call}, nil
}
