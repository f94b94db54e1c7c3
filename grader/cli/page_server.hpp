// `check --watch --page`: one page for the browser beside the terminal.
//
// Listens on the loopback alone, on a port that the system chooses. Answers three requests, all below a token that only
// the terminal knows: the page, the number of its version, and what the terminal says of the file now. A request for
// anything else, from another host's name, or with another method is refused. Ends with the program.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "base/result.hpp"

namespace warpgrade::cli {

class PageServer {
public:
    // Error: host (no socket, no random numbers).
    static Result<PageServer> start();
    PageServer(PageServer&&) noexcept;
    PageServer& operator=(PageServer&&) noexcept;
    ~PageServer();  // joins its thread

    // "http://127.0.0.1:40123/5f.../"
    std::string address() const;
    std::uint16_t port() const;

    // A new page; the browser loads it.
    void show(std::string page);
    // One sentence about the file, where there is no new page of it; "" takes it away.
    void say(std::string note);

private:
    struct State;
    explicit PageServer(std::unique_ptr<State> state);
    std::unique_ptr<State> state_;
};

// How to see the page from the machine that this one is used from by ssh; "" where it is not. `connection`:
// $SSH_CONNECTION, "CLIENT PORT SERVER PORT".
std::string forwarding_line(const char* connection, std::uint16_t port);

}  // namespace warpgrade::cli
