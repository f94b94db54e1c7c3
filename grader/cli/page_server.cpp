#include "cli/page_server.hpp"

#include <arpa/inet.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <mutex>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string_view>
#include <thread>

#include "base/json_text.hpp"
#include "cli/diagnose.hpp"

namespace warpgrade::cli {
namespace {

constexpr std::size_t most_request_bytes = 8192;
constexpr int most_wait_ms = 2000;  // for a request, and for its reader
constexpr std::string_view waiting_page =
    "<!DOCTYPE html><html lang=\"en\"><meta charset=\"utf-8\"><meta http-equiv=\"refresh\" content=\"1\">"
    "<title>Warpgrade</title><p>The page is being made.";

struct Answer {
    std::string status = "404 Not Found", type = "text/plain; charset=utf-8", body = "not found\n";
};

std::string text_of(const Answer& answer) {
    return fmt::format(
        "HTTP/1.1 {}\r\nContent-Type: {}\r\nContent-Length: {}\r\nCache-Control: no-store\r\n"
        "X-Content-Type-Options: nosniff\r\nReferrer-Policy: no-referrer\r\n"
        "Cross-Origin-Resource-Policy: same-origin\r\nX-Frame-Options: DENY\r\nConnection: close\r\n\r\n{}",
        answer.status, answer.type, answer.body.size(), answer.body);
}

bool is_ready(int socket, short what) {
    pollfd one{socket, what, 0};
    return ::poll(&one, 1, most_wait_ms) == 1 && (one.revents & what) != 0;
}

// The head of a request; "" where none comes in time.
std::string head_of(int socket) {
    std::string text;
    std::array<char, 2048> part{};
    while (text.find("\r\n\r\n") == text.npos) {
        if (text.size() > most_request_bytes || !is_ready(socket, POLLIN)) return "";
        const ssize_t count = ::recv(socket, part.data(), part.size(), 0);
        if (count <= 0) return "";
        text.append(part.data(), static_cast<std::size_t>(count));
    }
    return text;
}

void send_all(int socket, std::string_view text) {
    while (!text.empty() && is_ready(socket, POLLOUT)) {
        const ssize_t count = ::send(socket, text.data(), text.size(), MSG_NOSIGNAL);
        if (count <= 0) return;
        text.remove_prefix(static_cast<std::size_t>(count));
    }
}

// Of a head: the value of `Host`, "" where there is none.
std::string host_of(const std::string& head) {
    std::istringstream lines(head);
    for (std::string line; std::getline(lines, line);) {
        if (line.size() < 5 || ::strncasecmp(line.c_str(), "host:", 5) != 0) continue;
        const auto from = line.find_first_not_of(" \t", 5), to = line.find_last_not_of(" \t\r");
        return from == line.npos ? "" : line.substr(from, to - from + 1);
    }
    return "";
}

Diagnostic cannot_serve(const char* what) {
    return diagnose(Blame::host, "no_page_server", fmt::format("{}: {}", what, std::strerror(errno)),
                    "without --watch, `--page FILE.html` writes a file");
}

}  // namespace

struct PageServer::State {
    int socket = -1, stop = -1;
    std::uint16_t port = 0;
    std::string token;
    std::mutex mutex;  // of the three below
    std::string page, note;
    std::uint64_t version = 0;
    std::thread thread;

    ~State() {
        if (thread.joinable()) {
            const std::uint64_t one = 1;
            [[maybe_unused]] const auto written = ::write(stop, &one, sizeof one);
            thread.join();
        }
        if (socket >= 0) ::close(socket);
        if (stop >= 0) ::close(stop);
    }

    Answer answer_to(const std::string& head) {
        Answer answer;
        const auto end = head.find(' ', 4);
        const std::string host = host_of(head);
        // A name that is not this address may be one that another site made to lead here.
        if (!head.starts_with("GET /") || end == head.npos ||
            (host != fmt::format("127.0.0.1:{}", port) && host != fmt::format("localhost:{}", port)))
            return answer;
        const std::string path = head.substr(4, end - 4), own = "/" + token + "/";
        const std::lock_guard lock(mutex);
        if (path == own)
            answer = {"200 OK", "text/html; charset=utf-8", page.empty() ? std::string(waiting_page) : page};
        else if (path == own + "version")
            answer = {"200 OK", "application/json",
                      json_text(nlohmann::ordered_json{{"version", version}, {"note", note}}, 0)};
        return answer;
    }

    void run() {
        for (;;) {
            std::array<pollfd, 2> both{pollfd{socket, POLLIN, 0}, pollfd{stop, POLLIN, 0}};
            if (::poll(both.data(), both.size(), -1) < 0 && errno != EINTR) return;
            if (both[1].revents != 0) return;
            if ((both[0].revents & POLLIN) == 0) continue;
            const int client = ::accept4(socket, nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK);
            if (client < 0) continue;
            if (const std::string head = head_of(client); !head.empty()) send_all(client, text_of(answer_to(head)));
            ::close(client);
        }
    }
};

PageServer::PageServer(std::unique_ptr<State> state) : state_(std::move(state)) {}
PageServer::PageServer(PageServer&&) noexcept = default;
PageServer& PageServer::operator=(PageServer&&) noexcept = default;
PageServer::~PageServer() = default;

Result<PageServer> PageServer::start() {
    auto state = std::make_unique<State>();
    std::array<unsigned char, 16> secret{};
    if (::getrandom(secret.data(), secret.size(), 0) != static_cast<ssize_t>(secret.size()))
        return cannot_serve("no random numbers for the page's address");
    for (const unsigned char byte : secret) state->token += fmt::format("{:02x}", byte);
    state->socket = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    state->stop = ::eventfd(0, EFD_CLOEXEC);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    auto* const any = reinterpret_cast<sockaddr*>(&address);
    if (state->socket < 0 || state->stop < 0 || ::bind(state->socket, any, size) != 0 ||
        ::listen(state->socket, 16) != 0 || ::getsockname(state->socket, any, &size) != 0)
        return cannot_serve("the page cannot be served on the loopback");
    state->port = ntohs(address.sin_port);
    state->thread = std::thread([&one = *state] { one.run(); });
    return PageServer(std::move(state));
}

std::string PageServer::address() const { return fmt::format("http://127.0.0.1:{}/{}/", state_->port, state_->token); }
std::uint16_t PageServer::port() const { return state_->port; }

void PageServer::show(std::string page) {
    const std::lock_guard lock(state_->mutex);
    ++state_->version;
    // Where the page says which version it is (reports/live_page.py).
    constexpr std::string_view place = "data-version=\"";
    if (const auto at = page.find(place); at != page.npos)
        page.insert(at + place.size(), std::to_string(state_->version));
    state_->page = std::move(page);
    state_->note.clear();
}

void PageServer::say(std::string note) {
    const std::lock_guard lock(state_->mutex);
    state_->note = std::move(note);
}

std::string forwarding_line(const char* connection, std::uint16_t port) {
    if (connection == nullptr) return "";
    std::istringstream words(connection);
    std::string client, client_port, server;
    if (!(words >> client >> client_port >> server)) return "";
    return fmt::format("on the machine before you: ssh -N -L {0}:127.0.0.1:{0} {1}", port, server);
}

}  // namespace warpgrade::cli
