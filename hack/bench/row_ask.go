package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// askedCommands lists the measured commands, with a text that their output must contain.
var askedCommands = []struct {
	args        []string
	wants, goal string
}{
	{[]string{"get", "task", "task-00007"}, "task-00007", "15 ms"},
	{[]string{"get", "tasks"}, "task-00007", "60 ms"},
	{[]string{"next"}, "task-0", "15 ms"},
	{[]string{"describe", "task", "task-00007"}, "task-00007", "15 ms"},
	{[]string{"mem", "search", "how are session tokens renewed"}, "m-0", "15 ms"},
	{[]string{"context"}, "Active, and not yours: task-00000", "15 ms"},
	{[]string{"auth", "can-i", "write", ".idumb/mems/new.json"}, "yes", "15 ms"},
	{[]string{"__complete", "get", "task", "task-0000"}, "task-00007", "15 ms"},
	{[]string{"fail", taskName(activeTask), "--reason", "The approach failed", "--dry-run"}, "failed", "15 ms"},
	{[]string{"tree"}, "task-00007", ""},
	{[]string{"mem", "tree"}, "m-00007", "15 ms"},
	{[]string{"review", "mems"}, "", "15 ms"},
	{[]string{"mem", "save", "--content", "The gateway renews tokens an hour before they end", "--topic", "tokens", "--dry-run"}, "saved", "60 ms"},
	{[]string{"top", "sessions"}, "", ""},
	{[]string{"doctor"}, "No problems found.", ""},
	{[]string{"create", "task", "--plan", "bench", "--title", "One more", "--expect", "It is there", "-o", "name"}, "task", "60 ms"},
}

// measureAsk measures the CPU time of both processes for the most frequent commands of users and
// agents. Each command follows a change of some task.
func measureAsk(b *bench) ([]Result, error) {
	k, err := b.large()
	if err != nil {
		return nil, err
	}
	// The client process of the hook's rows now acts as a user.
	if err := os.RemoveAll(filepath.Join(k.repo.Dir, ".idumb", "run", "agents")); err != nil {
		return nil, err
	}
	processes := []process{{path: b.bin.Path("empty")}}
	for _, c := range askedCommands {
		p := k.idumb(c.args...)
		p.before, p.wants = k.touch, c.wants
		processes = append(processes, p)
	}
	all, err := repeat(b.size(15, 3), processes...)
	if err != nil {
		return nil, err
	}
	var results []Result
	for i, c := range askedCommands {
		what := strings.Join(c.args[:min(len(c.args), 2)], " ") + ", " + k.String()
		if len(c.args) == 3 && c.args[0] == "get" {
			what = "get one task, " + k.String()
		}
		results = append(results,
			Result{What: what + ", CPU of both", Unit: "ms", Floor: all[0].percentileMs(50, busy), Ours: all[i+1].percentileMs(50, busy), Goal: c.goal},
			Result{What: what + ", controller's CPU", Unit: "ms", Ours: all[i+1].percentileMs(50, served)},
			Result{What: what + ", wall", Unit: "ms", Floor: all[0].percentileMs(50, wall), Ours: all[i+1].percentileMs(50, wall)})
	}
	return results, nil
}

// measureJSON measures the peak memory of a command that prints a full plan.
func measureJSON(b *bench) ([]Result, error) {
	k, err := b.large()
	if err != nil {
		return nil, err
	}
	p := k.idumb("get", "tasks", "-o", "json")
	p.wants = `"task-00007"`
	empty := process{path: b.bin.Path("empty")}
	large, none := p, empty
	large.peak, none.peak = b.bin.Path("peak"), b.bin.Path("peak")
	all, err := repeat(b.size(5, 2), empty, p, none, large)
	if err != nil {
		return nil, err
	}
	return []Result{
		{What: fmt.Sprintf("get -o json of %d tasks, peak memory", k.tasks), Unit: "MB", Floor: all[2].maxOf(memory), Ours: all[3].maxOf(memory), Goal: "40 MB"},
		{What: fmt.Sprintf("get -o json of %d tasks, CPU of both", k.tasks), Unit: "ms", Floor: all[0].percentileMs(50, busy), Ours: all[1].percentileMs(50, busy)},
	}, nil
}
