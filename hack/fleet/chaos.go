package main

import (
	"fmt"
	"math/rand/v2"

	"github.com/idumb-dev/idumb/hack/drive"
)

// A chaos disturbs the controller of a repository: it is killed, suspended and resumed, stopped,
// and started again, sometimes twice at once. It is not safe for concurrent use.
type chaos struct {
	repo       *drive.Repo
	random     *rand.Rand
	controller *drive.Controller // nil if none is running
	hangs      bool

	killed, ended, hung, started, pairs int // counters
}

// newChaos starts with a running controller.
func newChaos(repo *drive.Repo, seed uint64) (*chaos, error) {
	c := &chaos{repo: repo, random: rand.New(rand.NewPCG(seed, 2))}
	return c, c.calm()
}

// step performs a random possible disturbance, or none.
func (c *chaos) step() error {
	often := func(percent int) bool { return c.random.IntN(100) < percent }
	switch {
	case c.controller == nil:
		if often(50) {
			return c.calm()
		}
	case c.hangs:
		if often(10) {
			c.kill()
		} else if often(50) {
			return c.calm()
		}
	case often(20):
		c.kill()
	case often(30):
		c.hung, c.hangs = c.hung+1, true
		return c.controller.Hang()
	case often(15) && c.repo.Leads(): // otherwise it may not handle the signal yet
		c.ended++
		err := c.controller.Stop()
		c.controller = nil
		return err
	}
	return nil
}

// calm ensures that a controller is running.
func (c *chaos) calm() (err error) {
	switch {
	case c.hangs:
		c.hangs = false
		return c.controller.Continue()
	case c.controller != nil:
		return nil
	case c.random.IntN(4) == 0:
		c.pairs++
		c.controller, err = c.repo.StartControllers()
	default:
		c.controller, err = c.repo.StartController()
	}
	c.started++
	return err
}

// kill ends the controller with SIGKILL, if it is running.
func (c *chaos) kill() {
	if c.controller != nil {
		c.controller.Kill()
		c.killed++
	}
	c.controller, c.hangs = nil, false
}

// String describes the disturbances.
func (c *chaos) String() string {
	return fmt.Sprintf("controllers: %d started, %d times two at once; %d killed, %d asked to end, %d hung", c.started, c.pairs, c.killed, c.ended, c.hung)
}
