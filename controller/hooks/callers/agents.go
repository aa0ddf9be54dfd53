package callers

import (
	"encoding/json"
	"strconv"

	"github.com/idumb-dev/idumb/controller/process"
	"github.com/idumb-dev/idumb/controller/store/layout"
	"github.com/idumb-dev/idumb/resources"
)

// agentsDir holds a record of the acting agent for each process of a host that
// hooks have seen. It may be deleted at any time: commands below such a process
// then count as a person's until its next prompt.
const agentsDir = layout.RunDir + "/agents"

// toolServer is the program that runs commands for the MCP tools of agents.
const toolServer = "idumb-mcp"

// Agent is the agent that acts in a process of a host. A command in the agent's
// shell finds it through its parent processes, which no environment or argument
// can forge.
type Agent struct {
	Process resources.Process `json:"process"`
	Session string            `json:"session"` // the name of its record; empty if no hook saw it
}

// RecordAgent records that a session acts in the host's process, replacing an
// earlier record. It does not write an unchanged record.
func RecordAgent(root layout.Root, a Agent) error {
	data, err := json.Marshal(a)
	if err != nil {
		return err
	}
	return root.Replace(agentFile(a.Process.PID), append(data, '\n'))
}

// AgentOf returns the agent in whose host's process the process with that ID
// runs, or false for a user's process. It also finds an agent that another
// working tree of the repository governs. For a command that an MCP tool runs
// though no hook has seen the host, the agent has no session.
func AgentOf(root layout.Root, pid int) (Agent, bool) {
	_, agent, found := findAgent(root, pid)
	return agent, found
}

// Governing returns the root that governs the agent in whose host's process the
// process with that ID runs. It is root or another working tree of its
// repository. For a user's process it is root.
func Governing(root layout.Root, pid int) layout.Root {
	at, _, _ := findAgent(root, pid)
	return at
}

// findAgent returns the agent in whose host's process the process with that ID runs, and the root
// that governs it. It returns false, with the given root, if the process does not run in an
// agent's host.
func findAgent(root layout.Root, pid int) (layout.Root, Agent, bool) {
	var processes []resources.Process
	for _, tree := range append([]layout.Root{root}, root.Trees()...) {
		d, err := tree.Open(agentsDir)
		if err != nil {
			continue
		}
		if processes == nil {
			processes = process.Ancestors(pid)
		}
		agent, found := recordedAgent(d, processes)
		d.Close()
		if found {
			return tree, agent, true
		}
	}
	if server, found := process.Above(pid, toolServer); found {
		return root, Agent{Process: server}, true
	}
	return root, Agent{}, false
}

// recordedAgent returns the agent in a directory of records for the first of some
// processes that has one. It returns false if none has.
func recordedAgent(d *layout.OpenDir, processes []resources.Process) (Agent, bool) {
	for _, p := range processes {
		var a Agent
		data, _, err := d.Read(strconv.Itoa(p.PID)+".json", maxRecord)
		if err == nil && json.Unmarshal(data, &a) == nil && a.Process == p && resources.CheckName(a.Session) == nil {
			return a, true
		}
	}
	return Agent{}, false
}

// sweepAgents removes the records of processes that have ended.
func sweepAgents(root layout.Root) {
	d, err := root.Open(agentsDir)
	if err != nil {
		return
	}
	defer d.Close()
	names, _ := d.Names()
	for _, name := range names {
		var a Agent
		data, _, err := d.Read(name, maxRecord)
		if err != nil || json.Unmarshal(data, &a) != nil || process.StateOf(&a.Process) == process.Exited {
			_ = d.Remove(name)
		}
	}
}

// agentFile returns the path of the record of the host process with that ID.
func agentFile(pid int) string { return agentsDir + "/" + strconv.Itoa(pid) + ".json" }

// SessionIn returns the session that acts in a host's process, or "" if no hook has recorded it.
func SessionIn(root layout.Root, p resources.Process) string {
	var a Agent
	data, _, err := root.Read(agentFile(p.PID), maxRecord)
	if err != nil || json.Unmarshal(data, &a) != nil || a.Process != p {
		return ""
	}
	return a.Session
}
