// Verifies and receives events of Gapura. Standard library only; Go 1.19 or newer.
package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"os"
	"strconv"
	"strings"
	"time"
)

type Event struct {
	ID        string          `json:"-"`
	Type      string          `json:"type"`
	Timestamp time.Time       `json:"timestamp"`
	Data      json.RawMessage `json:"data"`
}

var errRefused = errors.New("reply 400 and process nothing")

func VerifyEvent(body []byte, header http.Header, secrets []string, now time.Time) (*Event, error) {
	id, sentAt := header.Get("webhook-id"), header.Get("webhook-timestamp")
	seconds, err := strconv.ParseUint(sentAt, 10, 40)
	if err != nil || id == "" || now.Sub(time.Unix(int64(seconds), 0)).Abs() > 5*time.Minute {
		return nil, errRefused
	}
	for _, secret := range secrets {
		key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, "whsec_"))
		if err != nil || len(key) < 24 {
			return nil, errors.New("a secret is whsec_ and 24 or more bytes in base64")
		}
		mac := hmac.New(sha256.New, key)
		mac.Write([]byte(id + "." + sentAt + "."))
		mac.Write(body)
		expected := []byte("v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil)))
		for _, signature := range strings.Split(header.Get("webhook-signature"), " ") {
			if hmac.Equal(expected, []byte(signature)) {
				event := &Event{ID: id}
				return event, json.Unmarshal(body, event)
			}
		}
	}
	return nil, errRefused
}

func receive(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, 1_000_000))
	if err == nil {
		secrets := strings.Split(os.Getenv("WEBHOOK_SECRETS"), ",")
		_, err = VerifyEvent(body, r.Header, secrets, time.Now())
	}
	if err != nil {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	// Store the event under its id, unless that id is stored already, and process it later.
	w.WriteHeader(http.StatusNoContent)
}

func main() {
	http.HandleFunc("/webhooks", receive)
	panic(http.ListenAndServe("127.0.0.1:8080", nil))
}
