//go:build !linux

package main

import "github.com/idumb-dev/idumb/controller/serve/frame"

// ask returns errNobody: this system does not tell the user at the other end of a socket.
func ask(*frame.Question, string) (frame.Answer, error) { return frame.Answer{}, errNobody }

// stop returns false, because ask reaches no controller on this system.
func stop(string) bool { return false }
