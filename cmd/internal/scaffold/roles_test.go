package scaffold

import (
	"bytes"
	"crypto/sha256"
	"slices"
	"strings"
	"testing"

	"github.com/idumb-dev/idumb/resources"
)

// shipped returns the roles of a set.
func shipped(t *testing.T, set string) []*resources.Role {
	t.Helper()
	list, err := Entries(set)
	if err != nil {
		t.Fatal(err)
	}
	var roles []*resources.Role
	for _, e := range list {
		name, ok := strings.CutPrefix(strings.TrimSuffix(e.Path, ".json"), "roles/")
		if !ok || e.Mode.IsDir() {
			continue
		}
		o, _, err := resources.Read(resources.Key{Kind: resources.Roles, Name: name}, e.Data)
		if err != nil {
			t.Fatal(err)
		}
		roles = append(roles, o.(*resources.Role))
	}
	return roles
}

func TestRoleSets(t *testing.T) {
	for set, want := range map[string]int{CoreRoles: 4, FullRoles: 21} {
		if got := len(shipped(t, set)); got != want {
			t.Errorf("%s has %d roles; want %d", set, got, want)
		}
	}
	if _, err := Entries("half"); err == nil {
		t.Error("got no error for a set that there is not")
	}
}

// TestEveryHostsAgentsAreNamed: whom a host ships must not be held for a stranger.
func TestEveryHostsAgentsAreNamed(t *testing.T) {
	config := resources.DefaultConfig()
	for _, set := range RoleSets() {
		roles := shipped(t, set)
		for agent, want := range map[string]string{
			"": "solo", "build": "solo", "claude": "solo", "default": "solo",
			"general-purpose": "executor", "general": "executor", "worker": "executor",
			"Explore": "investigator", "explore": "investigator", "explorer": "investigator", "Plan": "investigator", "plan": "investigator",
			"statusline-setup": "investigator", "claude-code-guide": "investigator",
			"idumb-coordinator": "coordinator", "idumb-executor": "executor", "idumb-investigator": "investigator",
		} {
			if got := resources.ActingRole(agent, roles, &config); got != want {
				t.Errorf("%s: %q acts as %s; want %s", set, agent, got, want)
			}
		}
	}
}

// TestLeastRole: strangers get the rights of who writes no code, and only where config
// does not say otherwise.
func TestLeastRole(t *testing.T) {
	for set, want := range map[string]string{CoreRoles: "investigator", FullRoles: "low-validator"} {
		roles, config := shipped(t, set), resources.DefaultConfig()
		if got := resources.ActingRole("my-agent", roles, &config); got != want {
			t.Errorf("%s: a stranger acts as %s; want %s", set, got, want)
		}
		config.UnknownAgents = resources.UnknownAsDefault
		if got := resources.ActingRole("my-agent", roles, &config); got != "solo" {
			t.Errorf("%s: a stranger acts as %s though config says default", set, got)
		}
	}
}

// TestFullRolesHoldTogether: nobody delegates upwards, to a primary role or to one that
// is not there; leaves start nobody; every agent's name leads to one role only.
func TestFullRolesHoldTogether(t *testing.T) {
	roles := shipped(t, FullRoles)
	byName, agents := map[string]*resources.Role{}, map[string]string{}
	for _, r := range roles {
		byName[r.Metadata.Name] = r
	}
	for _, r := range roles {
		name := r.Metadata.Name
		for _, to := range r.Spec.DelegatesTo {
			switch taker := byName[to]; {
			case taker == nil:
				t.Errorf("%s delegates to %s, which is not there", name, to)
			case taker.Spec.Level < r.Spec.Level || taker.Spec.Mode == resources.RolePrimary || to == name:
				t.Errorf("%s delegates to %s", name, to)
			}
		}
		if r.Spec.Level == 3 && !slices.Contains(r.Spec.Tools.Deny, "task") {
			t.Errorf("%s is a leaf and may start subagents", name)
		}
		for _, agent := range r.Spec.Agents {
			if agents[agent] != "" {
				t.Errorf("%q acts as %s and as %s", agent, agents[agent], name)
			}
			agents[agent] = name
		}
	}
	if got := len(byName["supreme-coordinator"].Spec.DelegatesTo); got != 18 {
		t.Errorf("the supreme coordinator delegates to %d roles; want the seventeen others of its matrix, and the investigator", got)
	}
}

// TestShippedSums: each spec file that ships has its sum in shipped.txt, so that later versions know it.
func TestShippedSums(t *testing.T) {
	for _, set := range RoleSets() {
		entries, err := Entries(set)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range entries {
			if e.Generated || e.Mode.IsDir() || !strings.Contains(e.Path, "/") {
				continue
			}
			if now, found := Successor(e.Path, e.Data); !found || !bytes.Equal(now.Data, e.Data) {
				t.Errorf("add to shipped.txt: %x of %s", sha256.Sum256(e.Data), e.Path)
			}
			if _, found := Successor(e.Path, append([]byte(" "), e.Data...)); found {
				t.Errorf("%s: a changed file counts as shipped", e.Path)
			}
		}
	}
}
